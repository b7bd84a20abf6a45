package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import org.jspecify.annotations.Nullable;

/**
 * A user coupon taken for an order.
 *
 * @param order the amount of the order: from the shop, or an estimate that the owner gives
 * @param discount on the order, fixed when the user coupon was taken; in the order's currency
 * @param shop which has taken it, or null for its owner
 */
public record Redemption(OrderId orderId, Money order, Money discount, @Nullable ShopId shop) {

  public Redemption {
    if (discount.minorUnits() == 0 || order.isLessThan(discount)) {
      throw new IllegalArgumentException(
          "discount must be positive and at most the order: %s of %s".formatted(discount, order));
    }
  }

  /** A redemption by the owner. */
  public Redemption(OrderId orderId, Money order, Money discount) {
    this(orderId, order, discount, null);
  }
}
