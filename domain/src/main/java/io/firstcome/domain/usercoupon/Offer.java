package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.shop.OrderId;
import java.util.function.Function;

/** What one user coupon is worth on an order. */
public sealed interface Offer {

  /** The user coupon, as it is at the time of the quote. */
  UserCoupon userCoupon();

  /**
   * The user coupon applies, with this discount.
   *
   * @param discount at least one minor unit, at most the order
   */
  record Applicable(UserCoupon userCoupon, Money discount) implements Offer {}

  /** The user coupon does not apply. */
  record NotApplicable(UserCoupon userCoupon, Reason reason) implements Offer {}

  /** Why a user coupon does not apply. Of several reasons it is the first. */
  enum Reason {
    /**
     * It is held for another order, was used, expired, returned or revoked, or was taken and
     * released too often.
     */
    NOT_USABLE,
    /** The order is in another currency. */
    WRONG_CURRENCY,
    /** The order is below the coupon's minimum, or too small for a minor unit of discount. */
    BELOW_MINIMUM
  }

  /**
   * What the user coupon is worth on the order.
   *
   * @param now the user coupon, as it is at the time of the quote
   * @param coupons finds the coupon of a user coupon; called only for usable user coupons
   */
  static Offer of(
      UserCoupon now, OrderId orderId, Money order, Function<UserCoupon, Coupon> coupons) {
    if (!isUsable(now, orderId)) {
      return new NotApplicable(now, Reason.NOT_USABLE);
    }
    return switch (coupons.apply(now).worthOn(order)) {
      case Worth.Off(Money discount) -> new Applicable(now, discount);
      case Worth.Nothing(var reason) -> new NotApplicable(now, reason(reason));
    };
  }

  /** A user coupon that is held for the same order is usable for it. */
  private static boolean isUsable(UserCoupon now, OrderId orderId) {
    return switch (now) {
      case UserCoupon.Issued issued -> issued.canBeTaken();
      case UserCoupon.Held held -> held.redemption().orderId().equals(orderId);
      case UserCoupon.Used _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          false;
    };
  }

  private static Reason reason(Worth.Nothing.Reason reason) {
    return switch (reason) {
      case BELOW_MINIMUM -> Reason.BELOW_MINIMUM;
      case WRONG_CURRENCY -> Reason.WRONG_CURRENCY;
    };
  }
}
