package io.firstcome.application.curve;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.application.SettableClock;
import io.firstcome.application.curve.ReadCurve.Answer;
import io.firstcome.application.curve.ReadCurve.Question;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadCurveTest {

  private static final LatencyHistogram LATENCIES = new LatencyHistogram(List.of(0L, 1L));

  private final SettableClock clock = new SettableClock();
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final ReadCurve readCurve = new ReadCurve(database.coupons(), database.curves(), clock);
  private final Coupon coupon = aCoupon().build();
  private final Instant opensAt = coupon.definition().window().opensAt();

  @BeforeEach
  void define() {
    database.coupons().addIfAbsent(coupon, OPERATOR, opensAt.minusSeconds(1_000));
    var answers = new AnswerCounts(1, 0, 0, 0, 0, 0, 0);
    database
        .curves()
        .add(
            List.of(
                new ClaimTally(
                    coupon.id(), opensAt.plusSeconds(7), Length.SECOND, answers, LATENCIES)));
  }

  private Answer read(Question question) {
    return readCurve.read(coupon.id(), question).orElseThrow();
  }

  private Answer.Curve curve(Question question) {
    return (Answer.Curve) read(question);
  }

  @Test
  void a_curve_is_from_the_opening_until_now_unless_asked_otherwise() {
    clock.set(opensAt.plusSeconds(10));

    var curve = curve(Question.ALL);

    assertThat(curve.from()).isEqualTo(opensAt);
    assertThat(curve.to()).isEqualTo(opensAt.plusSeconds(10));
    assertThat(curve.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(curve.points())
        .singleElement()
        .satisfies(point -> assertThat(point.at()).isEqualTo(opensAt.plusSeconds(7)));
    assertThat(curve(new Question(null, opensAt.plusSeconds(7), null)).points()).isEmpty();
    assertThat(curve(new Question(opensAt.plusSeconds(8), null, null)).points()).isEmpty();
  }

  /** A window without a begin is often written as one that began long ago. */
  @Test
  void the_curve_of_a_coupon_that_was_defined_after_its_opening_begins_with_its_definition() {
    var longAgo = Instant.parse("1970-01-01T00:00:00Z");
    var always =
        aCoupon().withId("ALWAYS").opening(longAgo, opensAt.plus(Duration.ofDays(9))).build();
    database.coupons().addIfAbsent(always, OPERATOR, ACCEPTED_AT);
    clock.set(ACCEPTED_AT.plusSeconds(10));
    var answers = new AnswerCounts(1, 0, 0, 0, 0, 0, 0);
    var second = Length.SECOND.begin(ACCEPTED_AT);
    var tally = new ClaimTally(always.id(), second, Length.SECOND, answers, LATENCIES);
    database.curves().add(List.of(tally));

    var curve = (Answer.Curve) readCurve.read(always.id(), Question.ALL).orElseThrow();

    assertThat(curve.from()).isEqualTo(second);
    assertThat(curve.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(curve.points()).hasSize(1);
    assertThat(readCurve.totals(always.id()).orElseThrow().answers()).isEqualTo(answers);
  }

  @Test
  void a_curve_has_the_latencies_of_its_time() {
    clock.set(opensAt.plusSeconds(10));

    assertThat(curve(Question.ALL).latencies()).isEqualTo(LATENCIES);
    assertThat(curve(new Question(null, opensAt.plusSeconds(7), null)).latencies())
        .isEqualTo(LatencyHistogram.NONE);
    assertThat(curve(new Question(opensAt.plusSeconds(8), null, null)).latencies())
        .isEqualTo(LatencyHistogram.NONE);
    assertThat(curve(new Question(opensAt, opensAt, null)).latencies())
        .isEqualTo(LatencyHistogram.NONE);
  }

  @Test
  void the_interval_suits_the_length_of_the_curve() {
    clock.set(opensAt.plus(Duration.ofHours(1)));
    assertThat(curve(Question.ALL).interval()).isEqualTo(Duration.ofSeconds(1));

    clock.set(opensAt.plus(Duration.ofHours(1)).plusSeconds(1));
    assertThat(curve(Question.ALL).interval()).isEqualTo(Duration.ofSeconds(10));

    clock.set(opensAt.plus(Duration.ofDays(3_000)));
    assertThat(curve(Question.ALL).interval()).isEqualTo(Duration.ofDays(1));
  }

  /** Their seconds were merged into minutes. */
  @Test
  void the_interval_of_an_old_curve_is_a_minute_at_least() {
    var to = opensAt.plusSeconds(100);
    clock.set(opensAt.plus(CountClaims.KEPT_BY_SECOND));
    assertThat(curve(new Question(null, to, null)).interval()).isEqualTo(Duration.ofSeconds(1));

    clock.set(opensAt.plus(CountClaims.KEPT_BY_SECOND).plusSeconds(1));
    assertThat(curve(new Question(null, to, null)).interval()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void the_totals_are_of_all_answers_since_the_opening_also_when_they_are_merged() {
    var refused = new AnswerCounts(0, 0, 0, 1, 0, 0, 0);
    var before = Length.MINUTE.begin(opensAt).minusSeconds(1);
    database
        .curves()
        .add(
            List.of(
                new ClaimTally(coupon.id(), before, Length.SECOND, refused, LATENCIES),
                new ClaimTally(
                    coupon.id(), opensAt.plusSeconds(80), Length.SECOND, refused, LATENCIES)));
    clock.set(opensAt.plusSeconds(90));
    var totals = readCurve.totals(coupon.id()).orElseThrow();
    assertThat(totals.answers()).isEqualTo(new AnswerCounts(1, 0, 0, 1, 0, 0, 0));
    assertThat(totals.latencies()).isEqualTo(LATENCIES.plus(LATENCIES));

    clock.set(opensAt.plus(CountClaims.KEPT_BY_SECOND).plusSeconds(90));
    database.curves().merge(clock.instant().minus(CountClaims.KEPT_BY_SECOND), 10);
    assertThat(readCurve.totals(coupon.id())).contains(totals);
    assertThat(readCurve.totals(new CouponId("UNKNOWN"))).isEmpty();
  }

  @Test
  void a_curve_begins_with_the_interval_that_its_begin_is_in() {
    clock.set(opensAt.plusSeconds(10));
    var minute = Duration.ofMinutes(1);

    var curve = curve(new Question(Length.MINUTE.begin(opensAt).plusSeconds(59), null, minute));

    assertThat(curve.from()).isEqualTo(Length.MINUTE.begin(opensAt));
    assertThat(curve.points()).hasSize(1);
  }

  @Test
  void a_curve_that_ends_before_it_begins_is_empty() {
    clock.set(opensAt.minusSeconds(10));

    assertThat(curve(Question.ALL).points()).isEmpty();
    assertThat(curve(new Question(opensAt, opensAt, null)).points()).isEmpty();
  }

  @Test
  void a_curve_with_too_many_intervals_is_refused() {
    var second = Duration.ofSeconds(1);

    assertThat(read(new Question(opensAt, opensAt.plusSeconds(7_200), second)))
        .isInstanceOf(Answer.Curve.class);
    assertThat(read(new Question(opensAt, opensAt.plusSeconds(7_201), second)))
        .isEqualTo(new Answer.TooLong());
    assertThat(read(new Question(Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z"), null)))
        .isEqualTo(new Answer.TooLong());
  }

  @Test
  void an_unknown_coupon_has_no_curve() {
    assertThat(readCurve.read(new CouponId("UNKNOWN"), Question.ALL)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.5S", "PT1.5S", "PT24H1S"})
  void an_interval_is_whole_seconds_up_to_a_day(String interval) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Question(null, null, Duration.parse(interval)))
        .withMessageContaining(interval);
  }

  @Test
  void the_second_in_which_the_last_slot_was_issued_is_found() {
    clock.set(opensAt.plus(Duration.ofDays(3)));
    var sold = aCoupon().withId("SOLD").withTotal(3).build();
    database.epochs().raise(sold.partition(), new Epoch(1));
    database.coupons().addIfAbsent(sold, OPERATOR, opensAt);
    assertThat(readCurve.allIssuedAt(sold.id())).isEmpty();

    issue(sold, "ann", 1, opensAt.plusSeconds(1));
    issue(sold, "bob", 2, opensAt.plus(Duration.ofDays(1)).plusMillis(300_500));
    assertThat(readCurve.allIssuedAt(sold.id())).isEmpty();

    issue(sold, "carol", 3, opensAt.plus(Duration.ofDays(1)).plusMillis(301_999));
    assertThat(readCurve.allIssuedAt(sold.id()))
        .contains(opensAt.plus(Duration.ofDays(1)).plusSeconds(301));
    assertThat(readCurve.allIssuedAt(new CouponId("UNKNOWN"))).isEmpty();
  }

  private void issue(Coupon sold, String user, int slot, Instant at) {
    var claim = CouponFixtures.acceptedClaim(sold, user, slot, 1);
    database
        .userCoupons()
        .record(
            List.of(
                new AcceptedClaim(
                    claim.couponId(),
                    claim.userId(),
                    claim.slot(),
                    claim.partition(),
                    claim.epoch(),
                    at,
                    claim.identity())));
  }
}
