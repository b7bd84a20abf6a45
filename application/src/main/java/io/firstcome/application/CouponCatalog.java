package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Coupons by id, remembered once seen, for what never changes of them: that they exist, their
 * partition, their code key, whether they have a waiting room, what they are worth on an order,
 * whether returned slots go back to stock; and that they are archived, once they are. Any other
 * status and the quantity are the stock backend's to judge.
 */
public final class CouponCatalog {

  /** Some 100 MB at the most. When it is full it starts anew, which costs one query a coupon. */
  private static final int MAX_REMEMBERED = 100_000;

  /**
   * How often the database is asked whether a coupon is archived by now. Claims that meet a closed
   * fence ask, all of them, and hardly ever is that the reason.
   */
  private static final Duration ASK_AGAIN_AFTER = Duration.ofMillis(100);

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
      return Optional.of(known);
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
    if (isKnownToBeArchived(coupon.id())) {
      return true;
    }
    if (mayAskAgain(coupon.id())) {
      coupons.find(coupon.id()).ifPresent(this::remember);
    }
    return isKnownToBeArchived(coupon.id());
  }

  private boolean isKnownToBeArchived(CouponId couponId) {
    var known = remembered.get(couponId);
    return known != null && known.status() == CouponStatus.ARCHIVED;
  }

  private boolean mayAskAgain(CouponId couponId) {
    var now = clock.instant();
    var last = asked.get(couponId);
    if (last == null) {
      return asked.putIfAbsent(couponId, now) == null;
    }
    boolean isSoon = !now.isBefore(last) && now.isBefore(last.plus(ASK_AGAIN_AFTER));
    return !isSoon && asked.replace(couponId, last, now);
  }

  /** An older reading never replaces that it is archived, which it stays. */
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
