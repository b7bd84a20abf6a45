package io.firstcome.domain.coupon;

import java.util.Currency;
import org.jspecify.annotations.Nullable;

/** What a coupon takes off an order. */
public sealed interface Discount {

  /** The currency of the orders that this discount applies to. */
  Currency currency();

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
  }

  /**
   * A share of the order.
   *
   * @param basisPoints hundredths of a percent, 1 to 10,000
   * @param cap the most that is taken off, or null for no cap
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
  }
}
