package io.firstcome.domain.coupon;

import java.util.Currency;
import org.jspecify.annotations.Nullable;

/** What a coupon takes off an order. */
public sealed interface Discount {

  /** The currency of the orders that this discount applies to. */
  Currency currency();

  /**
   * What is taken off an order: exact whole minor units, never more than the order.
   *
   * @param order in this discount's currency
   * @throws IllegalArgumentException if it is in another currency
   */
  Money on(Money order);

  /** A fixed amount. */
  record Amount(Money money) implements Discount {

    public Amount {
      if (money.minorUnits() == 0) {
        throw new IllegalArgumentException("discount.minorUnits must be positive: 0");
      }
    }

    @Override
    public Currency currency() {
      return money.currency();
    }

    /** The amount, or the whole order if that is less. */
    @Override
    public Money on(Money order) {
      return money.min(order);
    }
  }

  /**
   * A share of the order.
   *
   * @param basisPoints hundredths of a percent, 1 to 10,000
   * @param cap the maximum discount, or null for no cap
   */
  record Percent(int basisPoints, Currency currency, @Nullable Money cap) implements Discount {

    private static final int WHOLE = 10_000;

    public Percent {
      if (basisPoints < 1 || basisPoints > WHOLE) {
        throw new IllegalArgumentException(
            "discount.basisPoints must be 1 to " + WHOLE + ": " + basisPoints);
      }
      if (cap != null && !cap.currency().equals(currency)) {
        throw new IllegalArgumentException(
            "discount.cap must be in " + currency + ": " + cap.currency());
      }
      if (cap != null && cap.minorUnits() == 0) {
        throw new IllegalArgumentException("discount.cap must be positive: 0");
      }
    }

    /**
     * The share of the order, rounded down to the minor unit of its currency, so that it is never
     * more than the percentage promises: 10 % of 99 JPY is 9 JPY, of 9.99 USD 0.99 USD, of 9.999
     * BHD 0.999 BHD. A cap is applied after the rounding.
     */
    @Override
    public Money on(Money order) {
      if (!order.currency().equals(currency)) {
        throw new IllegalArgumentException(
            "order must be in %s: %s".formatted(currency, order.currency()));
      }
      // The product of order and basis points can exceed a long; neither of these parts can.
      long whole = order.minorUnits() / WHOLE * basisPoints;
      long rest = order.minorUnits() % WHOLE * basisPoints / WHOLE;
      var share = new Money(whole + rest, currency);
      return cap == null ? share : share.min(cap);
    }
  }
}
