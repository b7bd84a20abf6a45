package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Coupons by id, remembered once seen, for what never changes of them: that they exist, their
 * partition, their code key, whether they have a waiting room, what they are worth on an order,
 * whether returned slots go back to stock. Status and quantity are the stock backend's to judge.
 */
public final class CouponCatalog {

  /** Some 100 MB at the most. When it is full it starts anew, which costs one query a coupon. */
  private static final int MAX_REMEMBERED = 100_000;

  private final CouponRepository coupons;
  private final ConcurrentHashMap<CouponId, Coupon> remembered = new ConcurrentHashMap<>();

  public CouponCatalog(CouponRepository coupons) {
    this.coupons = coupons;
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

  private void remember(Coupon coupon) {
    if (remembered.size() >= MAX_REMEMBERED) {
      remembered.clear();
    }
    remembered.put(coupon.id(), coupon);
  }
}
