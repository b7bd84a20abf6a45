package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of coupons by id, for what never changes of them: that they exist, their partition, their
 * code key, whether they have a waiting room, what they are worth on an order, whether returned
 * slots go back to stock; and for whether they are archived, which is read again periodically. The
 * stock backend decides by any other status and the quantity.
 */
public final class CouponCatalog {

  /** About 100 MB at most. A full cache is cleared, which costs one query per coupon. */
  private static final int MAX_REMEMBERED = 100_000;

  /**
   * How often the database is asked whether a coupon is archived by now. Every fenced claim asks,
   * and that is rarely the reason.
   */
  private static final Duration ASK_AGAIN_AFTER = Duration.ofMillis(100);

  /**
   * How often the database is asked whether an archived coupon is still archived: it is not after
   * the database was set back to a time before the archiving. Claims of an archived coupon are
   * answered from the database anyway, so one query more in this time costs little.
   */
  private static final Duration CONFIRM_ARCHIVED_AFTER = Duration.ofSeconds(1);

  private final CouponRepository coupons;
  private final InstantSource clock;
  private final ConcurrentHashMap<CouponId, Coupon> remembered = new ConcurrentHashMap<>();

  /** When the database was last asked whether a remembered coupon is archived. */
  private final ConcurrentHashMap<CouponId, Instant> asked = new ConcurrentHashMap<>();

  public CouponCatalog(CouponRepository coupons, InstantSource clock) {
    this.coupons = coupons;
    this.clock = clock;
  }

  /**
   * The coupon of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not remembered and the
   *     database is not reachable
   */
  public Optional<Coupon> find(CouponId couponId) {
    var known = remembered.get(couponId);
    if (known != null) {
      return Optional.of(known.status() == CouponStatus.ARCHIVED ? confirmed(known) : known);
    }
    var found = coupons.find(couponId);
    found.ifPresent(this::remember);
    return found;
  }

  /**
   * The coupon of a user coupon.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not remembered and the
   *     database is not reachable
   */
  public Coupon of(UserCoupon userCoupon) {
    return find(userCoupon.couponId())
        .orElseThrow(() -> new IllegalStateException("no coupon of " + userCoupon.id()));
  }

  /**
   * Whether the slot of a user coupon that ends now goes back to stock.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean takesSlotsBack(UserCoupon userCoupon) {
    var coupon = of(userCoupon);
    return coupon.definition().returnsToStock() && !isArchived(coupon);
  }

  /**
   * Whether the coupon is known to be archived. For callers that found no stock of it, or are about
   * to return a slot: if it is not known, the database is asked, at limited intervals.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean isArchived(Coupon coupon) {
    var known = remembered.get(coupon.id());
    if (known != null && known.status() == CouponStatus.ARCHIVED) {
      return confirmed(known).status() == CouponStatus.ARCHIVED;
    }
    if (mayAskAgain(coupon.id(), ASK_AGAIN_AFTER)) {
      coupons.find(coupon.id()).ifPresent(this::remember);
    }
    var now = remembered.get(coupon.id());
    return now != null && now.status() == CouponStatus.ARCHIVED;
  }

  /** While the database is not reachable, its last answer is used. */
  private Coupon confirmed(Coupon archived) {
    if (!mayAskAgain(archived.id(), CONFIRM_ARCHIVED_AFTER)) {
      return archived;
    }
    try {
      var stored = coupons.find(archived.id()).orElse(archived);
      remembered.replace(archived.id(), archived, stored);
      return stored;
    } catch (DatabaseUnavailableException e) {
      return archived;
    }
  }

  private boolean mayAskAgain(CouponId couponId, Duration after) {
    var now = clock.instant();
    var last = asked.get(couponId);
    if (last == null) {
      return asked.putIfAbsent(couponId, now) == null;
    }
    boolean isSoon = !now.isBefore(last) && now.isBefore(last.plus(after));
    return !isSoon && asked.replace(couponId, last, now);
  }

  /** Remembers the coupon. As it may be outdated, it never replaces an archived one. */
  public void remember(Coupon coupon) {
    if (remembered.size() >= MAX_REMEMBERED) {
      remembered.clear();
      asked.clear();
    }
    remembered.merge(
        coupon.id(),
        coupon,
        (known, read) -> known.status() == CouponStatus.ARCHIVED ? known : read);
  }
}
