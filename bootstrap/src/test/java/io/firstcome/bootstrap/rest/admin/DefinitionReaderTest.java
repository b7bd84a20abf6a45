package io.firstcome.bootstrap.rest.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.Definition;
import io.firstcome.bootstrap.rest.request.CouponJson.DiscountJson;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.bootstrap.rest.request.CouponJson.ValidityJson;
import io.firstcome.bootstrap.rest.request.CouponJson.WaitingRoomJson;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;

class DefinitionReaderTest {

  private static final DiscountJson PERCENT =
      new DiscountJson("PERCENT", null, 1_250, "EUR", new MoneyJson(999L, "EUR"));

  @Test
  void a_definition_is_shown_as_it_was_read() {
    var definition =
        new Definition(
            "SUMMER",
            "Summer sale",
            500,
            PERCENT,
            new MoneyJson(2_000L, "EUR"),
            "2026-06-01T12:00:00+02:00",
            "2026-06-02T00:00:00Z",
            new ValidityJson("2026-09-01T00:00:00Z", null),
            true,
            null,
            "P90D",
            null,
            null);

    var read = DefinitionReader.read(definition);
    var coupon = Coupon.define(read, new Partition(0), 1, StockBackend.REDIS);
    var definedAt = Instant.parse("2026-05-01T00:00:00Z");
    var view =
        CouponJson.view(
            new ReadCoupon.View(
                new StoredCoupon(coupon, definedAt, definedAt.plusSeconds(1)),
                Optional.of(0),
                definedAt.plusSeconds(2)));

    assertThat(DefinitionReader.read(CouponJson.definition(read))).isEqualTo(read);

    assertThat(view)
        .isEqualTo(
            new CouponJson.View(
                "SUMMER",
                "Summer sale",
                "ACTIVE",
                "SCHEDULED",
                500,
                0,
                "2026-06-01T10:00:00Z",
                "2026-06-02T00:00:00Z",
                PERCENT,
                new MoneyJson(2_000L, "EUR"),
                new ValidityJson("2026-09-01T00:00:00Z", null),
                true,
                null,
                "P90D",
                null,
                1,
                "2026-05-01T00:00:00Z",
                "2026-05-01T00:00:01Z",
                "2026-05-01T00:00:02Z"));
  }

  @Test
  void every_missing_member_is_reported() {
    assertThat(
            errors(
                new Definition(
                    null, null, null, null, null, null, null, null, null, null, null, null, null)))
        .containsExactlyInAnyOrder(
            "couponId",
            "name",
            "totalQuantity",
            "discount",
            "opensAt",
            "closesAt",
            "validity",
            "returnsToStock");
  }

  @Test
  void all_invalid_members_are_reported_together() {
    var errors =
        errors(
            new Definition(
                "lower",
                " ",
                0,
                new DiscountJson(
                    "AMOUNT", new MoneyJson(0L, "EURO"), 5, "EUR", new MoneyJson(-1L, null)),
                new MoneyJson(-1L, "EUR"),
                "noon",
                "+10000-01-01T00:00:00Z",
                new ValidityJson("2030-01-01T00:00:00Z", 3),
                false,
                new WaitingRoomJson(null, null, null, 0, null, null, null),
                "-P1D",
                "mysql",
                null));

    assertThat(errors)
        .containsExactlyInAnyOrder(
            "couponId",
            "name",
            "totalQuantity",
            "discount.basisPoints",
            "discount.amountOff.currency",
            "discount.cap",
            "discount.currency",
            "minimumOrder",
            "opensAt",
            "closesAt",
            "validity",
            "waitingRoom.admissionsPerSecond",
            "archiveAfter",
            "stockBackend");
  }

  @Test
  void members_that_are_invalid_only_in_combination_are_reported() {
    assertThat(errors(with("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z", days(3))))
        .containsExactlyInAnyOrder("closesAt");
    assertThat(
            errors(
                with(
                    "2026-01-01T00:00:00Z",
                    "2026-02-01T00:00:00Z",
                    new ValidityJson("2025-01-01T00:00:00Z", null))))
        .containsExactlyInAnyOrder("validity.until");
  }

  @Test
  void the_backend_is_read_by_its_name_and_is_optional() {
    assertThat(DefinitionReader.stockBackend(null)).isNull();
    assertThat(DefinitionReader.stockBackend("redis")).isEqualTo(StockBackend.REDIS);
    assertThat(DefinitionReader.stockBackend("postgres")).isEqualTo(StockBackend.POSTGRES);
    assertThat(errors(() -> DefinitionReader.stockBackend("POSTGRES")))
        .containsExactly("stockBackend");
  }

  private static Definition with(String opensAt, String closesAt, ValidityJson validity) {
    return new Definition(
        "SUMMER", "Summer", 5, PERCENT, null, opensAt, closesAt, validity, false, null, null, null,
        null);
  }

  private static ValidityJson days(int days) {
    return new ValidityJson(null, days);
  }

  /** The members named by the refusal. */
  private static Set<String> errors(Definition definition) {
    return errors(() -> DefinitionReader.read(definition));
  }

  private static Set<String> errors(ThrowingCallable reading) {
    var problem = catchThrowableOfType(Problem.class, reading);
    var body = (ProblemDetail) Objects.requireNonNull(problem.toResponse().getBody());
    assertThat(body.getType()).hasToString("urn:firstcome:problem:invalid-coupon");
    var errors = (Map<?, ?>) Objects.requireNonNull(body.getProperties()).get("errors");
    return Objects.requireNonNull(errors).keySet().stream()
        .map(String::valueOf)
        .collect(Collectors.toSet());
  }
}
