package io.firstcome.domain.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClockEstimateTest {

  private static final Instant START = Instant.parse("2026-05-01T09:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration ROUND_TRIP = Duration.ofMillis(1);

  private ClockEstimate estimate = ClockEstimate.NONE;

  /** A reading at the true time {@code after} the start, by a clock that is ahead by {@code by}. */
  private void read(Duration after, Duration by) {
    read(after, by, ROUND_TRIP, null);
  }

  private void read(Duration after, Duration by, Duration roundTrip, @Nullable Instant witness) {
    long received = after.toNanos();
    var reading =
        new ClockEstimate.Reading(
            START.plus(after).plus(by), received - roundTrip.toNanos(), received);
    estimate = estimate.after(reading, witness);
  }

  private Duration error(Duration after) {
    return Duration.between(START.plus(after), estimate.at(after.toNanos()));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis((long) (1_000 * seconds));
  }

  @Test
  void a_reading_is_extrapolated_by_the_monotonic_clock() {
    read(seconds(0), Duration.ZERO);

    assertThat(error(seconds(7))).isZero();
    assertThat(estimate.isCertain()).isTrue();
  }

  @Test
  void a_reading_with_a_slow_round_trip_is_used_only_without_a_recent_reading() {
    read(seconds(0), Duration.ZERO);
    read(seconds(1), Duration.ofMillis(-300), Duration.ofMillis(300), null);
    assertThat(error(seconds(1))).isZero();

    read(seconds(7), Duration.ofMillis(-300), Duration.ofMillis(300), null);
    assertThat(error(seconds(7))).isEqualTo(Duration.ofMillis(-300));
    // The previous reading was behind by its round trip, and this one is not: no contradiction.
    read(seconds(8), Duration.ofMillis(900));
    assertThat(error(seconds(8))).isEqualTo(Duration.ofMillis(900));
    assertThat(estimate.isCertain()).isTrue();
  }

  @Test
  void a_short_clock_jump_makes_the_estimate_uncertain_and_is_never_followed() {
    for (var jump : new Duration[] {MONTH, MONTH.negated(), seconds(1.1), seconds(-1.1)}) {
      estimate = ClockEstimate.NONE;
      read(seconds(0), Duration.ZERO);
      read(seconds(1), jump);
      read(seconds(2), jump);

      assertThat(estimate.isCertain()).as("during a jump by %s", jump).isFalse();
      assertThat(error(seconds(2))).isZero();
      read(seconds(3), Duration.ZERO);
      assertThat(estimate.isCertain()).as("after a jump by %s", jump).isTrue();
      assertThat(error(seconds(3))).isZero();
    }
  }

  @Test
  void a_lasting_clock_jump_is_followed() {
    read(seconds(0), Duration.ZERO);
    read(seconds(1), MONTH);
    read(seconds(10.9), MONTH);
    assertThat(error(seconds(11))).isZero();

    read(seconds(11), MONTH);
    assertThat(estimate.isCertain()).isTrue();
    assertThat(error(seconds(11))).isEqualTo(MONTH);
  }

  @Test
  void each_further_clock_jump_must_last_separately() {
    read(seconds(0), Duration.ZERO);
    for (int i = 1; i < 40; i++) {
      read(seconds(i), MONTH.multipliedBy(i % 2 + 1));
    }

    assertThat(estimate.isCertain()).isFalse();
    assertThat(error(seconds(40))).isZero();
  }

  @Test
  void a_clock_jump_that_a_witness_confirms_is_followed_immediately() {
    read(seconds(0), Duration.ZERO);
    read(seconds(1), MONTH, ROUND_TRIP, START.plus(MONTH).minusSeconds(3));

    assertThat(estimate.isCertain()).isTrue();
    assertThat(error(seconds(1))).isEqualTo(MONTH);
  }

  @Test
  void a_first_reading_that_contradicts_the_witness_must_last() {
    read(seconds(0), MONTH, ROUND_TRIP, START);
    assertThat(estimate.isKnown()).isFalse();
    assertThat(estimate.isCertain()).isFalse();

    read(seconds(10), MONTH, ROUND_TRIP, START.plusSeconds(10));
    assertThat(error(seconds(10))).isEqualTo(MONTH);
    // From then on a reading only has to agree with the earlier ones.
    read(seconds(11), MONTH, ROUND_TRIP, START.plusSeconds(11));
    assertThat(estimate.isCertain()).isTrue();
  }
}
