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
}
