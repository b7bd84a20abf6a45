package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slots that went back to stock by the database's word, and that the stock backend is not known to
 * have back. {@link UserCouponRepository#change} adds them, in the transaction of the step.
 * Failures are {@link DatabaseUnavailableException}s.
 */
public interface SlotReturns {

  /**
   * User coupons whose slot is still to go back, by id.
   *
   * @param after the last one of the page before, or null
   */
  List<UserCoupon> pending(@Nullable UserCouponId after, int max);

  /** Whether a slot of the coupon is still to go back. */
  boolean isPending(CouponId couponId);

  /** Remembers that the stock backend has the slot back. Said again, it changes nothing. */
  void nowInStock(UserCouponId id);
}
