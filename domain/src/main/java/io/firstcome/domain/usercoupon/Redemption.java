package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.Money;

/**
 * A user coupon taken for an order.
 *
 * @param order the amount of the order
 * @param discount on the order, fixed when the user coupon was taken; in the order's currency
 */
public record Redemption(OrderId orderId, Money order, Money discount) {

  public Redemption {
    if (discount.minorUnits() == 0 || order.isLessThan(discount)) {
      throw new IllegalArgumentException(
          "discount must be positive and at most the order: %s of %s".formatted(discount, order));
    }
  }
}
