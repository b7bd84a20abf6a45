package io.firstcome.domain.coupon;

import java.util.Currency;

/**
 * An exact, non-negative amount in the minor units of an ISO 4217 currency: 150 is 1.50 USD and 150
 * JPY.
 */
public record Money(long minorUnits, Currency currency) {

  public Money {
    if (minorUnits < 0) {
      throw new IllegalArgumentException("minorUnits must not be negative: " + minorUnits);
    }
    if (currency.getDefaultFractionDigits() < 0) {
      throw new IllegalArgumentException("currency has no minor unit: '" + currency + "'");
    }
  }

  /**
   * The smaller of two amounts of the same currency.
   *
   * @throws IllegalArgumentException if the currencies differ
   */
  public Money min(Money other) {
    return other.isLessThan(this) ? other : this;
  }

  /**
   * Whether this is less than another amount of the same currency.
   *
   * @throws IllegalArgumentException if the currencies differ
   */
  public boolean isLessThan(Money other) {
    if (!currency.equals(other.currency)) {
      throw new IllegalArgumentException(
          "amounts must be of one currency: %s and %s".formatted(currency, other.currency));
    }
    return minorUnits < other.minorUnits;
  }
}
