package io.firstcome.application.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.ArrivalCurve.Shape;
import io.firstcome.domain.rehearsal.Forecast.Deployment;
import io.firstcome.domain.rehearsal.MeasuredCosts;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForecastDropTest {

  private static final CouponId COUPON = new CouponId("WELCOME");

  /** 100 µs for a coupon, 20 µs for a refusal, 10 µs for sending, 5 µs of the stock. */
  private static final MeasuredCosts COSTS =
      new MeasuredCosts(micros(100), micros(20), micros(10), micros(5), 4_000, 200.0);

  private static final Deployment TWO_PROCESSORS = new Deployment(1, 2, 1_000_000, false);

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }

  private static RehearsalPlan plan(int users, int quantity, ArrivalCurve arrival) {
    return new RehearsalPlan(COUPON, users, quantity, arrival);
  }

  private static void assertNear(@Nullable Duration actual, long millis) {

    assertThat(Objects.requireNonNull(actual).toMillis()).isCloseTo(millis, within(20L));
  }

  @Test
  void a_crowd_at_once_is_answered_as_fast_as_the_processors_can() {
    var forecast =
        ForecastDrop.forecast(plan(100_000, 20_000, ArrivalCurve.atOnce()), COSTS, TWO_PROCESSORS);

    // 20,000 claims of 100 µs and 80,000 of 20 µs on two processors.
    assertNear(forecast.soldOutAfter(), 1_000);
    assertNear(forecast.answeredAfter(), 1_800);
    assertNear(forecast.longestWait(), 1_800);
    // 20,000 rows, of which 4,000 are recorded in a second.
    assertNear(forecast.recordedAfter(), 5_000);
    assertThat(forecast.stockBytes()).isEqualTo(4_000_000);
    assertThat(forecast.busyAnswers()).isZero();
    // 3.6 s of work within a second.
    assertThat(forecast.processors()).isEqualTo(4);
  }

  @Test
  void the_machine_that_sends_the_claims_needs_longer() {
    var forecast =
        ForecastDrop.forecast(
            plan(100_000, 20_000, ArrivalCurve.atOnce()),
            COSTS,
            new Deployment(1, 2, 1_000_000, true));

    assertNear(forecast.soldOutAfter(), 1_100);
    assertNear(forecast.answeredAfter(), 2_300);
  }

  @Test
  void more_instances_do_not_help_a_stock_that_has_one_thread() {
    var costs = new MeasuredCosts(micros(10), micros(1), micros(0), micros(50), 1e6, null);

    var forecast =
        ForecastDrop.forecast(
            plan(40_000, 40_000, ArrivalCurve.atOnce()),
            costs,
            new Deployment(64, 4, 1_000_000, false));

    assertNear(forecast.answeredAfter(), 2_000);
    assertThat(forecast.soldOutAfter()).isNotNull();
    assertThat(forecast.processors()).isNull();
    assertThat(forecast.stockBytes()).isNull();
  }

  @Test
  void processors_that_had_nothing_to_do_while_the_stock_was_busy_are_not_faster_later() {
    var costs = new MeasuredCosts(micros(100), micros(35), micros(0), micros(50), 1e6, null);

    var forecast =
        ForecastDrop.forecast(plan(100_000, 15_000, ArrivalCurve.atOnce()), costs, TWO_PROCESSORS);

    // 15,000 claims of 50 µs of the stock; then 85,000 of 35 µs within a quarter of a second.
    assertThat(forecast.processors()).isCloseTo(12, within(1));
  }

  @Test
  void claims_beyond_those_that_are_handled_at_a_time_are_repeated_after_a_second() {
    var forecast =
        ForecastDrop.forecast(
            plan(20_000, 20_000, ArrivalCurve.atOnce()), COSTS, new Deployment(1, 2, 5_000, false));

    assertThat(forecast.busyAnswers()).isGreaterThan(5_000);
    assertThat(forecast.answeredAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
  }

  /** Repeated claims alone would need more than all processors. */
  @Test
  void a_crowd_that_repeats_its_claims_is_answered_nevertheless() {
    var forecast =
        ForecastDrop.forecast(
            plan(1_000_000, 100_000, ArrivalCurve.atOnce()),
            COSTS,
            new Deployment(1, 2, 1_000, false));

    assertThat(forecast.soldOutAfter()).isLessThan(Duration.ofMinutes(1));
    assertThat(forecast.answeredAfter()).isLessThan(Duration.ofMinutes(2));
    assertThat(forecast.busyAnswers()).isGreaterThan(100_000);
  }

  @Test
  void a_slow_crowd_does_not_wait_and_slots_that_are_left_are_not_sold_out() {
    var forecast =
        ForecastDrop.forecast(
            plan(1_000, 2_000, new ArrivalCurve(Shape.RAMP, Duration.ofSeconds(10), 1)),
            COSTS,
            TWO_PROCESSORS);

    assertThat(forecast.soldOutAfter()).isNull();
    assertNear(forecast.answeredAfter(), 10_000);
    assertThat(forecast.longestWait()).isLessThan(Duration.ofMillis(30));
    assertThat(forecast.processors()).isEqualTo(1);
    // The rate of a ramp is highest in its last second: 1 - 0.9² of all.
    assertThat(forecast.mostAnswers()).isCloseTo(190, within(5));
  }

  @Test
  void bursts_come_in_groups_and_a_ramp_with_a_growing_rate() {
    var bursts = new ArrivalCurve(Shape.BURSTS, Duration.ofSeconds(10), 5);
    var ramp = new ArrivalCurve(Shape.RAMP, Duration.ofSeconds(10), 1);

    assertThat(bursts.dueAt(199, 1_000)).isZero();
    assertThat(bursts.dueAt(200, 1_000)).isEqualTo(Duration.ofSeconds(2));
    assertThat(bursts.dueAt(999, 1_000)).isEqualTo(Duration.ofSeconds(8));
    assertThat(bursts.arrivedAt(Duration.ofSeconds(2), 1_000)).isEqualTo(400);
    assertThat(ramp.arrivedAt(Duration.ofSeconds(5), 1_000)).isEqualTo(251);
    assertThat(ramp.arrivedAt(Duration.ofSeconds(10), 1_000)).isEqualTo(1_000);
    assertThat(ArrivalCurve.atOnce().arrivedAt(Duration.ZERO, 1_000)).isEqualTo(1_000);
  }
}
