package io.firstcome.application.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryPausesTest {

  private static final WebhookLimits LIMITS = WebhookLimits.defaults();

  private static Duration after(int failed, @Nullable Duration wanted) {
    return RetryPauses.after(failed, 7, wanted, LIMITS);
  }

  private static void assertAbout(Duration pause, Duration expected) {
    assertThat(pause).isBetween(expected, expected.multipliedBy(5).dividedBy(4));
  }

  @Test
  void each_failure_makes_the_pause_four_times_as_long_up_to_a_limit() {
    assertAbout(after(1, null), Duration.ofSeconds(5));
    assertAbout(after(2, null), Duration.ofSeconds(20));
    assertAbout(after(3, null), Duration.ofSeconds(80));
    assertAbout(after(6, null), LIMITS.firstPause().multipliedBy(1_024));
    assertAbout(after(7, null), LIMITS.longestPause());
    assertAbout(after(1_000, null), LIMITS.longestPause());
  }

  @Test
  void a_receiver_can_have_a_longer_pause_up_to_the_limit() {
    assertAbout(after(1, Duration.ofMinutes(10)), Duration.ofMinutes(10));
    assertAbout(after(1, Duration.ofDays(300)), LIMITS.longestPause());
    assertAbout(after(3, Duration.ofSeconds(1)), Duration.ofSeconds(80));
  }

  @Test
  void deliveries_that_fail_at_once_are_not_all_made_again_at_once() {
    var pauses =
        LongStream.rangeClosed(1, 100).mapToObj(id -> RetryPauses.after(1, id, null, LIMITS));

    assertThat(pauses.distinct().count()).isGreaterThan(15);
  }

  @Test
  void a_delivery_is_attempted_for_about_a_day() {
    var all = Duration.ZERO;
    for (int failed = 1; failed < LIMITS.attempts(); failed++) {
      all = all.plus(after(failed, null));
    }

    assertThat(all).isBetween(Duration.ofHours(18), Duration.ofHours(30));
  }
}
