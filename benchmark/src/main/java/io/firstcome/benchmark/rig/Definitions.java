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

/** Coupons as a benchmark wants them: open, and otherwise of no account. */
final class Definitions {

  private static final Money WORTH = new Money(500, Currency.getInstance("EUR"));
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final int VALID_DAYS = 30;

  private Definitions() {}

  /** One that can be claimed at that time, and for a day before and after. */
  static CouponDefinition open(String id, int pieces, Instant now) {
    return new CouponDefinition(
        new CouponId(id),
        "Benchmark",
        pieces,
        new Discount.Amount(WORTH),
        null,
        new IssuanceWindow(now.minus(WINDOW), now.plus(WINDOW)),
        new Validity.Days(VALID_DAYS),
        false,
        null);
  }
}
