package io.firstcome.benchmark.rig;

import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;

/** Coupon definitions for benchmarks: open for claims, all other terms arbitrary. */
public final class Definitions {

  private static final Money WORTH = new Money(500, Currency.getInstance("EUR"));
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final int VALID_DAYS = 30;

  private Definitions() {}

  /** A coupon whose issuance window begins a day before {@code now} and ends a day after it. */
  public static CouponDefinition open(String id, int quantity, Instant now) {
    return new CouponDefinition(
        new CouponId(id),
        "Benchmark",
        quantity,
        new Discount.Amount(WORTH),
        null,
        new IssuanceWindow(now.minus(WINDOW), now.plus(WINDOW)),
        new Validity.Days(VALID_DAYS),
        false,
        null,
        null);
  }
}
