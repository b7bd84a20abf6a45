package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServingHistoryTest {

  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");
  private static final Duration ADMISSION = Duration.ofSeconds(80);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private ServingNumber number = ServingNumber.startingAt(NOON);
  private ServingHistory history = ServingHistory.startingWith(ADMISSION);

  @Test
  void an_admission_lasts_its_time_and_at_most_an_interval_longer() {
    for (int second = 1; second <= 600; second++) {
      read(second, 3);

      assertThat(history.remaining(number.served(), number))
          .isGreaterThan(ADMISSION)
          .isLessThanOrEqualTo(ADMISSION.plus(INTERVAL));
    }
  }

  @Test
  void the_admission_of_a_place_ends_at_the_same_time_whenever_it_is_asked() {
    Map<Integer, Duration> ends = new HashMap<>();
    for (int second = 1; second <= 300; second++) {
      read(second, 3);
      for (int place = 1; place <= number.served(); place++) {
        var end = number.counted().plus(history.remaining(place, number));
        var known = ends.putIfAbsent(place, end);
        if (known != null && known.compareTo(number.counted()) > 0) {
          assertThat(end).as("end of %d", place).isEqualTo(known);
        } else if (known != null) {
          assertThat(end).as("end of %d", place).isLessThanOrEqualTo(number.counted());
        }
      }
    }
  }

  @Test
  void an_admission_ends_though_nobody_is_served_later() {
    read(1, 3);
    read(100, 0);

    assertThat(history.remaining(3, number)).isNegative();
  }

  @Test
  void the_history_is_bounded() {
    for (int second = 1; second <= 3_000; second++) {
      read(second, 3);

      assertThat(history.marks()).hasSizeLessThanOrEqualTo(ServingHistory.INTERVALS + 2);
    }
  }

  @Test
  void a_place_that_is_not_served_has_no_admission() {
    read(1, 3);

    for (int place : new int[] {0, 4}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history.remaining(place, number))
          .withMessageContaining("place " + place + " is not served");
    }
  }

  @Test
  void a_history_that_cannot_be_is_refused() {
    var mark = new ServingHistory.Mark(Duration.ofSeconds(10), 3);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingHistory(ADMISSION, List.of(mark, mark)))
        .withMessageStartingWith("marks must be in ascending order");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingHistory(ADMISSION, Collections.nCopies(11, mark)))
        .withMessageStartingWith("too many marks");
    for (var time : List.of(Duration.ZERO, Duration.ofMillis(1_500))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ServingHistory.startingWith(time))
          .withMessage("admissionTime must be positive, in whole seconds: " + time);
    }
  }

  /** Reads the number each second, as instances do. */
  private void read(int second, int perSecond) {
    while (number.since().isBefore(NOON.plusSeconds(second))) {
      number = number.at(number.since().plusSeconds(1), perSecond, Integer.MAX_VALUE);
      history = history.with(number);
    }
  }
}
