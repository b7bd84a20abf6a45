package io.firstcome.domain.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponChange.Action;
import io.firstcome.domain.coupon.CouponChange.AlreadySo;
import io.firstcome.domain.coupon.CouponChange.Changed;
import io.firstcome.domain.coupon.CouponChange.Refused;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import java.time.Instant;
import java.util.Currency;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an edit changes and when it is possible, and the phases of a coupon. */
class CouponEditTest {

  private static final Currency EUR = Currency.getInstance("EUR");
  private static final Instant OPENS_AT = Instant.parse("2026-05-01T12:00:00Z");
  private static final Instant CLOSES_AT = OPENS_AT.plusSeconds(60);

  private static final CouponDefinition DEFINITION =
      d("Five euros", 100, 500, null, OPENS_AT, CLOSES_AT, new Validity.Days(30), true);

  private static final Validity DAYS = new Validity.Days(30);

  private static CouponDefinition d(
      String name,
      int total,
      long minorUnits,
      @Nullable Money minimumOrder,
      Instant opensAt,
      Instant closesAt,
      Validity validity,
      boolean returnsToStock) {
    return new CouponDefinition(
        new CouponId("WELCOME"),
        name,
        total,
        new Discount.Amount(new Money(minorUnits, EUR)),
        minimumOrder,
        new IssuanceWindow(opensAt, closesAt),
        validity,
        returnsToStock,
        null,
        null);
  }

  private static Coupon coupon(CouponStatus status) {
    return new Coupon(DEFINITION, status, 7, new Partition(3), 2, StockBackend.REDIS);
  }

  static Stream<Arguments> edits() {
    var minimum = new Money(1_000, EUR);
    return Stream.of(
        edit("name", false, d("Six euros", 100, 500, null, OPENS_AT, CLOSES_AT, DAYS, true)),
        edit(
            "totalQuantity",
            false,
            d("Five euros", 101, 500, null, OPENS_AT, CLOSES_AT, DAYS, true)),
        edit(
            "totalQuantity", true, d("Five euros", 99, 500, null, OPENS_AT, CLOSES_AT, DAYS, true)),
        edit("discount", true, d("Five euros", 100, 600, null, OPENS_AT, CLOSES_AT, DAYS, true)),
        edit(
            "minimumOrder",
            true,
            d("Five euros", 100, 500, minimum, OPENS_AT, CLOSES_AT, DAYS, true)),
        edit(
            "opensAt",
            true,
            d("Five euros", 100, 500, null, OPENS_AT.plusSeconds(1), CLOSES_AT, DAYS, true)),
        edit(
            "opensAt",
            true,
            d("Five euros", 100, 500, null, OPENS_AT.minusSeconds(1), CLOSES_AT, DAYS, true)),
        edit(
            "closesAt",
            false,
            d("Five euros", 100, 500, null, OPENS_AT, CLOSES_AT.plusSeconds(1), DAYS, true)),
        edit(
            "closesAt",
            true,
            d("Five euros", 100, 500, null, OPENS_AT, CLOSES_AT.minusSeconds(1), DAYS, true)),
        edit(
            "validity",
            true,
            d("Five euros", 100, 500, null, OPENS_AT, CLOSES_AT, new Validity.Days(31), true)),
        edit(
            "returnsToStock",
            true,
            d("Five euros", 100, 500, null, OPENS_AT, CLOSES_AT, DAYS, false)),
        edit(
            "opensAt, closesAt",
            true,
            d("Five euros", 100, 500, null, CLOSES_AT, CLOSES_AT.plusSeconds(9), DAYS, true)),
        edit(
            "opensAt, closesAt",
            true,
            d(
                "Five euros",
                100,
                500,
                null,
                OPENS_AT.minusSeconds(9),
                OPENS_AT.minusSeconds(1),
                DAYS,
                true)));
  }

  private static Arguments edit(String members, boolean needsNoClaims, CouponDefinition wanted) {
    return Arguments.of(members, needsNoClaims, wanted);
  }

  @ParameterizedTest
  @MethodSource("edits")
  void only_what_takes_nothing_from_users_can_change_after_the_first_claim(
      String members, boolean needsNoClaims, CouponDefinition wanted) {
    assertThat(wanted.differencesFrom(DEFINITION)).containsExactly(members.split(", "));

    var change = changed(coupon(CouponStatus.PAUSED).edit(wanted));

    assertThat(change.needsNoClaims()).isEqualTo(needsNoClaims);
    assertThat(change.action()).isEqualTo(Action.EDIT);
    assertThat(change.coupon().definition()).isEqualTo(wanted);
    assertThat(change.coupon().status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(change.coupon().revision()).isEqualTo(8);
    assertThat(changed(coupon(CouponStatus.DRAFT).edit(wanted)).needsNoClaims()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(CouponStatus.class)
  void an_edit_to_the_same_definition_is_no_change(CouponStatus status) {
    assertThat(coupon(status).edit(DEFINITION)).isEqualTo(new AlreadySo());
  }

  @Test
  void a_coupon_that_has_ended_for_good_is_not_edited() {
    var renamed = d("Six euros", 100, 500, null, OPENS_AT, CLOSES_AT, DAYS, true);

    assertThat(coupon(CouponStatus.CLOSED).edit(renamed))
        .isEqualTo(new Refused(Reason.CLOSED_FOR_GOOD));
    assertThat(coupon(CouponStatus.ARCHIVED).edit(renamed))
        .isEqualTo(new Refused(Reason.ARCHIVED_FOR_GOOD));
  }

  @Test
  void the_id_of_a_coupon_cannot_be_edited() {
    var other = DEFINITION.withId(new CouponId("OTHER"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> coupon(CouponStatus.DRAFT).edit(other))
        .withMessageContaining("couponId");
    assertThat(other.withId(DEFINITION.couponId())).isEqualTo(DEFINITION);
  }

  private static Changed changed(CouponChange change) {
    assertThat(change).isInstanceOf(Changed.class);
    return (Changed) change;
  }

  @ParameterizedTest
  @CsvSource({
    "DRAFT, 0, 5, DRAFT",
    "ACTIVE, -1, 5, SCHEDULED",
    "ACTIVE, -1, 0, SCHEDULED",
    "ACTIVE, 0, 5, OPEN",
    "ACTIVE, 59, , OPEN",
    "ACTIVE, 0, 0, SOLD_OUT",
    "ACTIVE, 60, 5, ENDED",
    "ACTIVE, 60, 0, ENDED",
    "PAUSED, -1, 5, PAUSED",
    "PAUSED, 0, 0, PAUSED",
    "PAUSED, 60, 5, ENDED",
    "CLOSED, -1, 5, ENDED",
    "ARCHIVED, 0, 0, ARCHIVED",
  })
  void a_coupon_has_a_phase_at_each_time(
      CouponStatus status, int secondsOpen, @Nullable Integer free, CouponPhase phase) {
    assertThat(coupon(status).phaseAt(OPENS_AT.plusSeconds(secondsOpen), free)).isEqualTo(phase);
  }
}
