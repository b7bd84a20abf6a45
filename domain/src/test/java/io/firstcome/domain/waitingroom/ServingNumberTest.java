package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServingNumberTest {

  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private final ServingNumber start = ServingNumber.startingAt(NOON);

  @Test
  void it_advances_by_the_rate_however_often_it_is_read() {
    var random = new Random(7);
    var number = start;
    var now = NOON;
    while (now.isBefore(NOON.plusSeconds(60))) {
      now = now.plusMillis(random.nextInt(40));
      number = number.at(now, 333, NO_LIMIT);
    }

    assertThat(number.served())
        .isEqualTo((int) (333 * Duration.between(NOON, now).toMillis() / 1_000));
    assertThat(number.counted()).isEqualTo(Duration.between(NOON, now));
  }

  @Test
  void a_room_that_was_not_read_for_hours_admits_no_crowd() {
    var later = NOON.plus(Duration.ofHours(2));

    assertThat(start.at(later, 100, NO_LIMIT).served()).isEqualTo(500);
  }

  @Test
  void a_clock_that_jumps_ahead_for_a_moment_gains_at_most_a_step() {
    var ahead = start.at(NOON.plus(Duration.ofDays(30)), 100, NO_LIMIT);
    var back = ahead.at(NOON.plusSeconds(1), 100, NO_LIMIT);

    assertThat(back.served()).isEqualTo(500);
    assertThat(back.at(NOON.plusSeconds(2), 100, NO_LIMIT).served()).isEqualTo(600);
  }

  @Test
  void who_joins_an_idle_room_waits_as_long_as_the_rate_says() {
    var idle = start.at(NOON.plusSeconds(4), 2, 3);
    var joined = NOON.plusMillis(4_400);

    assertThat(idle.served()).isEqualTo(3);
    var read = idle.at(joined, 2, 3);
    assertThat(read.at(joined.plusMillis(499), 2, 10).served()).isEqualTo(3);
    assertThat(read.at(joined.plusMillis(500), 2, 10).served()).isEqualTo(4);
  }

  @Test
  void it_never_decreases() {
    var number = start.at(NOON.plusSeconds(3), 100, NO_LIMIT);

    assertThat(number.at(NOON.plusSeconds(2), 100, NO_LIMIT).served()).isEqualTo(300);
    assertThat(number.at(NOON.plusSeconds(4), 100, 10).served()).isEqualTo(300);
    assertThat(number.at(NOON.plusSeconds(4), 0, NO_LIMIT).served()).isEqualTo(300);
  }

  @Test
  void in_a_pause_of_the_room_time_counts_and_nobody_is_served() {
    var paused =
        start.at(NOON.plusMillis(1_005), 100, NO_LIMIT).at(NOON.plusSeconds(3), 0, NO_LIMIT);

    assertThat(paused)
        .isEqualTo(new ServingNumber(100, 500, NOON.plusSeconds(3), Duration.ofSeconds(3)));
  }

  @Test
  void values_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingNumber(-1, 0, NOON, Duration.ZERO))
        .withMessage("served must not be negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingNumber(0, 1_000, NOON, Duration.ZERO))
        .withMessage("thousandths must be 0 to 999: 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingNumber(0, 0, NOON, Duration.ofMillis(-1)))
        .withMessage("counted must not be negative: PT-0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServingNumber.startingAt(NOON.plusNanos(1)))
        .withMessage("since must be in whole milliseconds: 2026-12-01T12:00:00.000000001Z");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> start.at(NOON, -1, NO_LIMIT))
        .withMessage("perSecond must not be negative: -1");
  }
}
