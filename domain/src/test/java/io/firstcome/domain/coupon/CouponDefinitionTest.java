package io.firstcome.domain.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Currency;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CouponDefinitionTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Currency JPY = Currency.getInstance("JPY");
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
  private static final Money FIVE_EUROS = new Money(500, EUR);

  @ParameterizedTest
  @ValueSource(strings = {"WELCOME2025", "A1", "1-2", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-ABC"})
  void slugs_are_coupon_ids(String slug) {
    assertThat(new CouponId(slug)).hasToString(slug);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "A",
        "-A",
        "welcome",
        "A B",
        "A:B",
        "A{1}",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-ABCD"
      })
  void other_texts_are_no_coupon_ids_and_the_message_quotes_them(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CouponId(text))
        .withMessageContaining("couponId")
        .withMessageContaining("'" + text + "'");
  }

  @Test
  void quantities_are_1_to_100_million() {
    assertThat(definition(1).totalQuantity()).isEqualTo(1);
    assertThat(definition(100_000_000).totalQuantity()).isEqualTo(100_000_000);
    for (int wrong : new int[] {0, -1, 100_000_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> definition(wrong))
          .withMessageContaining("totalQuantity")
          .withMessageContaining(String.valueOf(wrong));
    }
  }

  @Test
  void a_window_must_close_after_it_opens() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IssuanceWindow(NOON, NOON))
        .withMessageContaining("closesAt");
  }

  @Test
  void the_validity_must_not_end_before_the_window() {
    var close = NOON.plusSeconds(3_600);
    assertThat(validUntil(close).validity()).isEqualTo(new Validity.Until(close));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> validUntil(close.minusMillis(1)))
        .withMessageContaining("validity.until");
  }

  @Test
  void minimum_order_and_cap_are_in_the_currency_of_the_discount() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            definition(
                "Name",
                1,
                new Discount.Amount(FIVE_EUROS),
                new Money(1_000, JPY),
                new Validity.Days(1)))
        .withMessageContaining("minimumOrder");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Discount.Percent(1_000, EUR, new Money(1_000, JPY)))
        .withMessageContaining("discount.cap");
  }

  @Test
  void a_discount_is_more_than_zero_and_at_most_100_percent() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Discount.Amount(new Money(0, EUR)))
        .withMessageContaining("discount.minorUnits");
    for (int wrong : new int[] {0, 10_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Discount.Percent(wrong, EUR, null))
          .withMessageContaining("discount.basisPoints");
    }
  }

  @Test
  void money_is_never_negative_and_has_a_minor_unit() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Money(-1, EUR));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Money(1, Currency.getInstance("XXX")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "two\nlines", "half \ud83d a smile"})
  void names_are_one_line_of_text(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> definition(name, 1, new Discount.Amount(FIVE_EUROS), null, new Validity.Days(1)))
        .withMessageContaining("name");
  }

  @Test
  void times_are_truncated_to_milliseconds_so_that_stored_content_is_equal() {
    var fine = new IssuanceWindow(NOON.plusNanos(1_999_999), NOON.plusSeconds(1).plusNanos(7));
    var definition =
        new CouponDefinition(
            new CouponId("FINE"),
            "Fine",
            1,
            new Discount.Amount(FIVE_EUROS),
            null,
            fine,
            new Validity.Until(NOON.plusSeconds(9).plusNanos(5)),
            false,
            null,
            null);

    assertThat(definition.window())
        .isEqualTo(new IssuanceWindow(NOON.plusMillis(1), NOON.plusSeconds(1)));
    assertThat(definition.validity()).isEqualTo(new Validity.Until(NOON.plusSeconds(9)));
  }

  @Test
  void days_are_24_hours_each() {
    assertThat(new Validity.Days(2).endsAt(NOON)).isEqualTo("2026-05-03T12:00:00Z");
    assertThat(new Validity.Until(NOON).endsAt(NOON.minusSeconds(1))).isEqualTo(NOON);
    assertThatIllegalArgumentException().isThrownBy(() -> new Validity.Days(0));
  }

  private static CouponDefinition validUntil(Instant until) {
    return definition("Name", 1, new Discount.Amount(FIVE_EUROS), null, new Validity.Until(until));
  }

  private static CouponDefinition definition(int totalQuantity) {
    return definition(
        "Name", totalQuantity, new Discount.Amount(FIVE_EUROS), null, new Validity.Days(1));
  }

  private static CouponDefinition definition(
      String name,
      int totalQuantity,
      Discount discount,
      @Nullable Money minimumOrder,
      Validity validity) {
    return new CouponDefinition(
        new CouponId("WELCOME"),
        name,
        totalQuantity,
        discount,
        minimumOrder,
        new IssuanceWindow(NOON, NOON.plusSeconds(3_600)),
        validity,
        false,
        null,
        null);
  }
}
