package io.firstcome.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.client.http.ApiException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetriesTest {

  private static final int CLIENTS = 1_000;

  private static ApiException answeredWithRetryAfter(String value) {
    var headers = HttpHeaders.of(Map.of("Retry-After", List.of(value)), (_name, _value) -> true);
    return new ApiException(503, headers, "");
  }

  /** The times that many clients wait after so many failures. */
  private static List<Duration> pauses(ApiException failure, int failures) {
    return IntStream.range(0, CLIENTS)
        .mapToObj(seed -> new Retries(new Random(seed)).pause(failure, failures))
        .toList();
  }

  @Test
  void clients_return_at_different_times_and_never_before_retry_after() {
    var pauses = pauses(answeredWithRetryAfter("3"), 1);

    assertThat(pauses)
        .allSatisfy(
            pause -> assertThat(pause).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4)));
    assertThat(pauses).doesNotHaveDuplicates();
  }

  @Test
  void the_random_time_is_doubled_after_each_failure_up_to_sixteen_seconds() {
    var failure = new ApiException(503, "unavailable");

    assertThat(longest(pauses(failure, 1)))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
    assertThat(longest(pauses(failure, 3)))
        .isBetween(Duration.ofMillis(3_600), Duration.ofSeconds(4));
    assertThat(longest(pauses(failure, 99)))
        .isBetween(Duration.ofMillis(14_400), Duration.ofSeconds(16));
  }

  private static Duration longest(List<Duration> pauses) {
    return pauses.stream().max(Duration::compareTo).orElseThrow();
  }

  @Test
  void a_retry_after_that_is_no_number_is_ignored() {
    assertThat(longest(pauses(answeredWithRetryAfter("Wed, 21 Oct 2026 07:28:00 GMT"), 1)))
        .isLessThan(Duration.ofSeconds(1));
  }
}
