package io.firstcome.application.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PaceTest {

  @Test
  void the_pause_is_a_multiple_of_the_duration_of_the_work() {
    long began = System.nanoTime();

    Pace.resting(9).restAfter(Duration.ofMillis(20));

    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(180));
  }

  @Test
  void an_interrupted_thread_does_not_pause_and_stays_interrupted() {
    Thread.currentThread().interrupt();

    Pace.resting(9).restAfter(Duration.ofHours(1));

    assertThat(Thread.interrupted()).isTrue();
  }
}
