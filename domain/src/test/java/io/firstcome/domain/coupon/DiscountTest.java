package io.firstcome.domain.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.Currency;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Money is exact: against arbitrary-precision arithmetic, in currencies with 0, 2 and 3 digits. */
class DiscountTest {

  private static final int CASES = 20_000;
  private static final BigInteger WHOLE = BigInteger.valueOf(10_000);
  private static final List<Currency> CURRENCIES =
      List.of(currency("JPY"), currency("KRW"), currency("USD"), currency("BHD"));

  @ParameterizedTest
  @CsvSource({
    "JPY,      99, 1000,     9",
    "KRW,   15000,  333,   499",
    "USD,     999, 1000,    99",
    "USD,       1, 9999,     0",
    "BHD,    9999, 1000,   999",
    "BHD,   12345,  125,   154",
    "EUR,     500, 10000,  500",
    "EUR,       0, 5000,     0",
  })
  void a_percentage_is_rounded_down_to_the_minor_unit(
      String code, long order, int basisPoints, long expected) {
    var currency = currency(code);

    assertThat(new Discount.Percent(basisPoints, currency, null).on(new Money(order, currency)))
        .isEqualTo(new Money(expected, currency));
  }

  @Test
  void a_cap_is_applied_after_the_rounding() {
    var usd = currency("USD");
    var discount = new Discount.Percent(2_500, usd, new Money(300, usd));

    assertThat(discount.on(new Money(1_203, usd))).isEqualTo(new Money(300, usd));
    assertThat(discount.on(new Money(1_199, usd))).isEqualTo(new Money(299, usd));
  }

  @Test
  void an_amount_is_limited_to_the_order() {
    var jpy = currency("JPY");
    var discount = new Discount.Amount(new Money(500, jpy));

    assertThat(discount.on(new Money(501, jpy))).isEqualTo(new Money(500, jpy));
    assertThat(discount.on(new Money(499, jpy))).isEqualTo(new Money(499, jpy));
    assertThat(discount.on(new Money(0, jpy))).isEqualTo(new Money(0, jpy));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4_711, 20_260_501})
  void a_percentage_is_exact_on_any_order(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      var order = anyOrder(random);
      int basisPoints = random.nextInt(1, 10_001);
      var exact =
          BigInteger.valueOf(order.minorUnits())
              .multiply(BigInteger.valueOf(basisPoints))
              .divide(WHOLE);

      var discount = new Discount.Percent(basisPoints, order.currency(), null).on(order);

      assertThat(BigInteger.valueOf(discount.minorUnits()))
          .as("seed %d: %d basis points of %s", seed, basisPoints, order)
          .isEqualTo(exact);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 4_712, 20_260_502})
  void no_discount_is_above_its_order_or_its_cap_or_less_on_a_larger_order(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      var order = anyOrder(random);
      var larger =
          new Money(
              order.minorUnits() + random.nextLong(Long.MAX_VALUE - order.minorUnits()),
              order.currency());
      var cap = new Money(1 + random.nextLong(1L << random.nextInt(62)), order.currency());
      var discount =
          random.nextBoolean()
              ? new Discount.Amount(cap)
              : new Discount.Percent(random.nextInt(1, 10_001), order.currency(), cap);

      var off = discount.on(order);

      assertThat(off.minorUnits())
          .as("seed %d: %s on %s", seed, discount, order)
          .isBetween(0L, Math.min(order.minorUnits(), cap.minorUnits()))
          .isLessThanOrEqualTo(discount.on(larger).minorUnits());
    }
  }

  @Test
  void an_order_in_another_currency_is_an_illegal_argument() {
    var order = new Money(1_000, currency("USD"));
    var jpy = currency("JPY");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Discount.Amount(new Money(5, jpy)).on(order))
        .withMessageContaining("USD");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Discount.Percent(500, jpy, null).on(order))
        .withMessageContaining("USD");
  }

  /** Small ones and the largest alike. */
  private static Money anyOrder(Random random) {
    long minorUnits = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
    return new Money(minorUnits, CURRENCIES.get(random.nextInt(CURRENCIES.size())));
  }

  private static Currency currency(String code) {
    return Currency.getInstance(code);
  }
}
