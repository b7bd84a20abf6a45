package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.curve.ClaimTally.Length;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every database does with the curves of coupons. */
public abstract class IssuanceCurvesContract extends DatabaseContract {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The begin of a minute. */
  private static final Instant BEGIN = Length.MINUTE.begin(ACCEPTED_AT);

  private static final Instant END = BEGIN.plus(Duration.ofHours(1));

  private static final AnswerCounts COUNTS =
      new AnswerCounts(1, 20, 300, 4_000, 50_000, 600_000, 7_000_000);

  private static final LatencyHistogram LATENCIES =
      new LatencyHistogram(List.of(0L, 7L, 5_000_000_000L));

  /** With each bucket. */
  private static final LatencyHistogram SLOWER =
      new LatencyHistogram(
          LongStream.rangeClosed(1, LatencyHistogram.BOUNDS.size()).boxed().toList());

  private IssuanceCurves curves() {
    return database().curves();
  }

  private static ClaimTally bySecond(CouponId coupon, Instant from) {
    return bySecond(coupon, from, LATENCIES);
  }

  private static ClaimTally bySecond(CouponId coupon, Instant from, LatencyHistogram latencies) {
    return new ClaimTally(coupon, from, Length.SECOND, COUNTS, latencies);
  }

  private LatencyHistogram latencies(CouponId coupon) {
    return curves().latencies(coupon, BEGIN, END);
  }

  private Map<Instant, AnswerCounts> answers(CouponId coupon, Duration interval) {
    return curves().answers(coupon, BEGIN, END, interval);
  }

  private Map<Instant, Long> issued(CouponId coupon, Duration interval) {
    return curves().issued(coupon, BEGIN, END, interval);
  }

  @Test
  void a_coupon_without_claims_has_an_empty_curve() {
    var coupon = defined(aCoupon());

    assertThat(answers(coupon.id(), SECOND)).isEmpty();
    assertThat(issued(coupon.id(), SECOND)).isEmpty();
    assertThat(latencies(coupon.id())).isEqualTo(LatencyHistogram.NONE);
    assertThat(answers(UNKNOWN, SECOND)).isEmpty();
    assertThat(issued(UNKNOWN, SECOND)).isEmpty();
    assertThat(latencies(UNKNOWN)).isEqualTo(LatencyHistogram.NONE);
  }

  @Test
  void answers_are_summed_in_the_interval_that_they_are_in() {
    var coupon = defined(aCoupon()).id();
    curves()
        .add(
            List.of(
                bySecond(coupon, BEGIN),
                bySecond(coupon, BEGIN.plusSeconds(59)),
                bySecond(coupon, BEGIN.plusSeconds(60))));

    assertThat(answers(coupon, SECOND))
        .containsOnly(
            entry(BEGIN, COUNTS),
            entry(BEGIN.plusSeconds(59), COUNTS),
            entry(BEGIN.plusSeconds(60), COUNTS));
    assertThat(answers(coupon, MINUTE))
        .containsOnly(entry(BEGIN, COUNTS.plus(COUNTS)), entry(BEGIN.plusSeconds(60), COUNTS));
  }

  @Test
  void a_curve_begins_and_ends_where_it_is_asked_to() {
    var coupon = defined(aCoupon()).id();
    curves()
        .add(
            List.of(
                bySecond(coupon, BEGIN.minusSeconds(1)),
                bySecond(coupon, BEGIN),
                bySecond(coupon, END.minusSeconds(1)),
                bySecond(coupon, END)));

    assertThat(answers(coupon, SECOND)).containsOnlyKeys(BEGIN, END.minusSeconds(1));
    assertThat(latencies(coupon)).isEqualTo(LATENCIES.plus(LATENCIES));
  }

  @Test
  void latencies_are_summed_by_bucket() {
    var coupon = defined(aCoupon().withId("CLAIMED")).id();
    var other = defined(aCoupon().withId("OTHER")).id();
    curves()
        .add(
            List.of(
                bySecond(coupon, BEGIN, LATENCIES),
                bySecond(coupon, BEGIN.plusSeconds(1), LatencyHistogram.NONE),
                bySecond(coupon, BEGIN.plusSeconds(2), SLOWER),
                bySecond(other, BEGIN, LATENCIES)));

    assertThat(latencies(coupon)).isEqualTo(LATENCIES.plus(SLOWER));
    assertThat(curves().latencies(coupon, BEGIN.plusSeconds(1), BEGIN.plusSeconds(2)))
        .isEqualTo(LatencyHistogram.NONE);
    assertThat(curves().latencies(coupon, BEGIN.plusSeconds(2), END)).isEqualTo(SLOWER);
  }

  @Test
  void a_tally_that_is_added_again_counts_once() {
    var coupon = defined(aCoupon()).id();
    curves().add(List.of(bySecond(coupon, BEGIN)));

    curves().add(List.of(bySecond(coupon, BEGIN), bySecond(coupon, BEGIN.plusSeconds(1))));

    assertThat(answers(coupon, MINUTE)).containsOnly(entry(BEGIN, COUNTS.plus(COUNTS)));
    assertThat(latencies(coupon)).isEqualTo(LATENCIES.plus(LATENCIES));
  }

  @Test
  void coupons_have_curves_of_their_own_and_unknown_coupons_have_none() {
    var coupon = defined(aCoupon().withId("FIRST")).id();
    var other = defined(aCoupon().withId("SECOND")).id();

    curves().add(List.of(bySecond(UNKNOWN, BEGIN), bySecond(coupon, BEGIN)));
    curves().add(List.of());

    assertThat(answers(coupon, SECOND)).hasSize(1);
    assertThat(answers(other, SECOND)).isEmpty();
    assertThat(answers(UNKNOWN, SECOND)).isEmpty();
  }

  @Test
  void issued_user_coupons_are_counted_from_their_rows_whatever_became_of_them() {
    var coupon = defined(aCoupon().withId("ISSUED"));
    database().userCoupons().record(claims(coupon, 3));
    var first = database().userCoupons().find(coupon.id(), user("user000001")).orElseThrow();
    takeStep(first, ((Issued) first).giveBack(END, true));

    assertThat(issued(coupon.id(), SECOND))
        .containsOnly(entry(Length.SECOND.begin(ACCEPTED_AT), 3L));
    assertThat(issued(coupon.id(), MINUTE)).containsOnly(entry(BEGIN, 3L));
    assertThat(curves().issued(coupon.id(), END, END.plus(MINUTE), SECOND)).isEmpty();
  }

  @Test
  void slots_that_were_issued_again_count_once_among_all_that_were_issued() {
    var coupon = defined(aCoupon().withId("ISSUED").returningToStock());
    assertThat(curves().allIssuedAt(coupon.id(), 3)).isEmpty();
    database().userCoupons().record(claims(coupon, 2));
    var first = database().userCoupons().find(coupon.id(), user("user000001")).orElseThrow();
    takeStep(first, ((Issued) first).giveBack(END, true));
    database().userCoupons().record(List.of(claim(coupon, "next", 1)));

    assertThat(curves().allIssuedAt(coupon.id(), 3)).isEmpty();
    assertThat(curves().allIssuedAt(coupon.id(), 2)).contains(ACCEPTED_AT);
    assertThat(curves().allIssuedAt(UNKNOWN, 1)).isEmpty();
  }

  @Test
  void old_seconds_are_merged_into_minutes_which_stay() {
    var coupon = defined(aCoupon()).id();
    curves()
        .add(
            List.of(
                bySecond(coupon, BEGIN.plusSeconds(1)),
                bySecond(coupon, BEGIN.plusSeconds(2), LatencyHistogram.NONE),
                bySecond(coupon, BEGIN.plusSeconds(3), SLOWER),
                new ClaimTally(coupon, BEGIN, Length.MINUTE, COUNTS, LATENCIES),
                bySecond(coupon, BEGIN.plusSeconds(60))));
    var four = COUNTS.plus(COUNTS).plus(COUNTS).plus(COUNTS);

    assertThat(curves().merge(BEGIN.plusSeconds(60), 2)).isEqualTo(2);
    assertThat(answers(coupon, SECOND))
        .containsOnlyKeys(BEGIN, BEGIN.plusSeconds(3), BEGIN.plusSeconds(60));
    assertThat(curves().latencies(coupon, BEGIN, BEGIN.plusSeconds(1)))
        .isEqualTo(LATENCIES.plus(LATENCIES));
    assertThat(curves().merge(BEGIN.plusSeconds(60), 2)).isEqualTo(1);
    assertThat(curves().merge(BEGIN.plusSeconds(60), 2)).isZero();

    assertThat(answers(coupon, SECOND))
        .containsOnly(entry(BEGIN, four), entry(BEGIN.plusSeconds(60), COUNTS));
    assertThat(curves().latencies(coupon, BEGIN, BEGIN.plusSeconds(60)))
        .isEqualTo(LATENCIES.plus(LATENCIES).plus(SLOWER));
    assertThat(curves().latencies(coupon, BEGIN.plusSeconds(60), END)).isEqualTo(LATENCIES);
  }

  @Test
  void seconds_without_latencies_are_merged() {
    var coupon = defined(aCoupon()).id();
    curves().add(List.of(bySecond(coupon, BEGIN, LatencyHistogram.NONE)));
    assertThat(curves().merge(END, 1)).isEqualTo(1);
    assertThat(latencies(coupon)).isEqualTo(LatencyHistogram.NONE);
    curves().add(List.of(bySecond(coupon, BEGIN.plusSeconds(1), SLOWER)));

    assertThat(curves().merge(END, 1)).isEqualTo(1);

    assertThat(answers(coupon, SECOND)).containsOnly(entry(BEGIN, COUNTS.plus(COUNTS)));
    assertThat(latencies(coupon)).isEqualTo(SLOWER);
  }
}
