package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slots that are returned in the database, and not noted as released in the stock backend. {@link
 * UserCouponRepository#change} adds them, in the transaction of the step. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface SlotReturns {

  /**
   * User coupons whose slot is not released yet; those of one coupon ordered by generation and
   * slot.
   *
   * @param after the last one of the previous page, or null
   */
  List<UserCoupon> pending(@Nullable UserCoupon after, int max);

  /** Whether a slot of the coupon is not released yet. */
  boolean isPending(CouponId couponId);

  /**
   * Notes that the slot is released in the stock backend. Idempotent. If every slot of the coupon
   * was issued at least once, and it can be claimed now by the database's clock, the same
   * transaction adds {@link io.firstcome.domain.event.CouponEvent.ReturnedToSale} to the outbox. A
   * stock in the database does so when it releases the slot.
   */
  void noteReleased(UserCouponId id);
}
