package io.firstcome.application.curve;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.firstcome.application.SettableClock;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountClaimsTest {

  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final ClaimAnswer SOLD_OUT = new ClaimAnswer.Refused(new ClaimOutcome.SoldOut());

  private final SettableClock clock = new SettableClock();
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final CountClaims countClaims = new CountClaims(database.curves(), clock);

  @BeforeEach
  void beginAtNoon() {
    clock.set(NOON.plusMillis(500));
  }

  private CouponId defined(String id) {
    var coupon = aCoupon().withId(id).build();
    database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
    return coupon.id();
  }

  private void count(CouponId couponId, ClaimAnswer answer) {
    countClaims.count(couponId, answer, Duration.ofMillis(2));
  }

  private LatencyHistogram latencies(CouponId couponId) {
    return database.curves().latencies(couponId, NOON.minusSeconds(3_600), NOON.plusSeconds(3_600));
  }

  private Map<Instant, AnswerCounts> answers(CouponId couponId) {
    return database
        .curves()
        .answers(
            couponId, NOON.minusSeconds(3_600), NOON.plusSeconds(3_600), Duration.ofSeconds(1));
  }

  private static Map.Entry<Instant, AnswerCounts> soldOut(Instant at, int number) {
    return entry(at, new AnswerCounts(0, 0, number, 0, 0, 0, 0));
  }

  @Test
  void answers_are_counted_by_kind_and_second() {
    var coupon = defined("COUPON");
    count(coupon, SOLD_OUT);
    count(coupon, new ClaimAnswer.Refused(new ClaimOutcome.Paused()));
    count(coupon, new ClaimAnswer.NotAdmitted(ClaimAnswer.NotAdmittedReason.MISSING));
    count(coupon, new ClaimAnswer.Recovering());
    count(coupon, new ClaimAnswer.Overloaded());
    count(coupon, new ClaimAnswer.Overloaded());
    for (int i = 0; i < 3; i++) {
      count(coupon, new ClaimAnswer.OutcomeUnknown());
    }
    count(coupon, new ClaimAnswer.UnknownCoupon());
    clock.set(NOON.plusSeconds(1));
    count(coupon, SOLD_OUT);

    clock.set(NOON.plusSeconds(10));
    countClaims.store();

    assertThat(answers(coupon))
        .containsOnly(
            entry(NOON, new AnswerCounts(0, 0, 1, 2, 1, 2, 3)), soldOut(NOON.plusSeconds(1), 1));
  }

  @Test
  void the_latencies_of_all_counted_answers_are_in_their_buckets() {
    var coupon = defined("COUPON");
    countClaims.count(coupon, SOLD_OUT, Duration.ofMillis(1));
    countClaims.count(coupon, SOLD_OUT, Duration.ofNanos(1_000_001));
    countClaims.count(coupon, new ClaimAnswer.Overloaded(), Duration.ofMillis(2));
    countClaims.count(coupon, new ClaimAnswer.UnknownCoupon(), Duration.ofMillis(2));
    countClaims.count(defined("OTHER"), SOLD_OUT, Duration.ofMillis(2));
    clock.set(NOON.plusSeconds(1));
    countClaims.count(coupon, SOLD_OUT, Duration.ofHours(1));

    clock.set(NOON.plusSeconds(10));
    countClaims.store();

    assertThat(latencies(coupon).counts())
        .hasSameSizeAs(LatencyHistogram.BOUNDS)
        .startsWith(1L, 2L, 0L)
        .endsWith(0L, 1L);
  }

  @Test
  void a_second_is_stored_once_it_has_been_over_for_a_second() {
    var coupon = defined("COUPON");
    count(coupon, SOLD_OUT);

    clock.set(NOON.plusMillis(1_999));
    countClaims.store();
    assertThat(answers(coupon)).isEmpty();

    clock.set(NOON.plusMillis(2_000));
    countClaims.store();
    countClaims.store();
    assertThat(answers(coupon)).containsOnly(soldOut(NOON, 1));
  }

  @Test
  void what_could_not_be_stored_is_stored_later() {
    var coupon = defined("COUPON");
    count(coupon, SOLD_OUT);
    database.disconnect();
    clock.set(NOON.plusSeconds(2));
    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(countClaims::store);
    count(coupon, SOLD_OUT);

    database.reconnect();
    clock.set(NOON.plusSeconds(4));
    countClaims.store();

    assertThat(answers(coupon)).containsOnly(soldOut(NOON, 1), soldOut(NOON.plusSeconds(2), 1));
  }

  @Test
  void claims_of_very_many_coupons_are_counted_by_minute_and_none_is_left_out() {
    for (int i = 0; i < 600; i++) {
      count(defined("COUPON-" + i), SOLD_OUT);
    }
    clock.set(NOON.plusMillis(700));
    for (int i = 0; i < 600; i++) {
      count(new CouponId("COUPON-" + i), SOLD_OUT);
    }

    clock.set(NOON.plusSeconds(2));
    countClaims.store();
    assertThat(answers(new CouponId("COUPON-0"))).containsOnly(soldOut(NOON, 2));
    assertThat(answers(new CouponId("COUPON-599"))).isEmpty();

    clock.set(NOON.plusSeconds(61));
    countClaims.store();
    assertThat(answers(new CouponId("COUPON-599"))).containsOnly(soldOut(NOON, 2));
    assertThat(latencies(new CouponId("COUPON-599")).counts()).containsExactly(0L, 2L);
  }

  @Test
  void seconds_become_minutes_after_a_week() {
    var coupon = defined("COUPON");
    clock.set(NOON.plusSeconds(30));
    count(coupon, SOLD_OUT);
    clock.set(NOON.plus(Duration.ofDays(7)));
    countClaims.store();
    assertThat(countClaims.mergeOld()).isFalse();
    assertThat(answers(coupon)).containsOnly(soldOut(NOON.plusSeconds(30), 1));

    clock.set(NOON.plus(Duration.ofDays(7)).plusSeconds(31));
    assertThat(countClaims.mergeOld()).isFalse();

    assertThat(answers(coupon)).containsOnly(soldOut(NOON, 1));
    assertThat(latencies(coupon).counts()).containsExactly(0L, 1L);
  }
}
