package io.firstcome.application;

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
 * Coupons by id, remembered once seen, for what never changes of them: that they exist, their
 * partition, their code key, whether they have a waiting room, what they are worth on an order,
 * whether returned slots go back to stock; and that they are archived, which the database is asked
 * again now and then. Any other status and the quantity are the stock backend's to judge.
 */
public final class CouponCatalog {

  /** Some 100 MB at the most. When it is full it starts anew, which costs one query a coupon. */
  private static final int MAX_REMEMBERED = 100_000;

  /**
   * How often the database is asked whether a coupon is archived by now. Claims that meet a closed
   * fence ask, all of them, and hardly ever is that the reason.
   */
  private static final Duration ASK_AGAIN_AFTER = Duration.ofMillis(100);

  /**
   * How often the database is asked whether an archived coupon still is: a database that was set
   * back to a time before the archiving says no. Claims of an archived coupon are answered from the
   * database anyway, so that one query more in this time costs nothing.
   */
  private static final Duration CONFIRM_ARCHIVED_AFTER = Duration.ofSeconds(1);

  private final CouponRepository coupons;
  private final InstantSource clock;
  private final ConcurrentHashMap<CouponId, Coupon> remembered = new ConcurrentHashMap<>();

  /** When the database was last asked whether one is archived; of those remembered. */
  private final ConcurrentHashMap<CouponId, Instant> asked = new ConcurrentHashMap<>();

  public CouponCatalog(CouponRepository coupons, InstantSource clock) {
    this.coupons = coupons;
    this.clock = clock;
  }

  /**
   * The coupon of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if it is not remembered and the
   *     database could not be asked
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
   *     database could not be asked
   */
  Coupon of(UserCoupon userCoupon) {
    return find(userCoupon.couponId())
        .orElseThrow(() -> new IllegalStateException("no coupon of " + userCoupon.id()));
  }

  /**
   * Whether the slot of a user coupon that ends now is to go back to stock.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  boolean takesSlotsBack(UserCoupon userCoupon) {
    var coupon = of(userCoupon);
    return coupon.definition().returnsToStock() && !isArchived(coupon);
  }

  /**
   * Whether the coupon is known to be archived. For who has met with no stock of it, or is about to
   * give it something: where it is not known, the database is asked, now and then.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  boolean isArchived(Coupon coupon) {
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

  /** While the database is away, what it said last holds. */
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

  /** A reading that may be older never replaces that it is archived. */
  void remember(Coupon coupon) {
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
