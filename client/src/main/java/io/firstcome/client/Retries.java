package io.firstcome.client;

import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Problem;
import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * When a call is repeated, as the page of all problems advises: after {@code Retry-After} and a
 * random time, which becomes longer with each failure, so that many clients do not return at once.
 */
final class Retries {

  /** Of the random time after the first failure; doubled after each further one. */
  private static final Duration FIRST_SPREAD = Duration.ofSeconds(1);

  private static final int MAX_DOUBLINGS = 4;

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int FIRST_SERVER_ERROR = 500;

  /** Refusals that end by themselves within moments. */
  private static final Set<String> PASSING = Set.of("concurrent-change", "not-yet-issued");

  private final RandomGenerator random;

  Retries(RandomGenerator random) {
    this.random = random;
  }

  /** Whether a repeat makes sense, as it does without an answer and after an error of a server. */
  boolean isOfUse(ApiException failure, Problem problem) {
    return failure.getCode() == 0
        || failure.getCode() == TOO_MANY_REQUESTS
        || failure.getCode() >= FIRST_SERVER_ERROR
        || PASSING.contains(Problems.name(problem));
  }

  /**
   * How long to wait before the next attempt.
   *
   * @param failures how many attempts have failed; at least 1
   */
  Duration pause(ApiException failure, int failures) {
    var spread = FIRST_SPREAD.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
    return retryAfter(failure).plusNanos(random.nextLong(spread.toNanos()));
  }

  /** Zero if the answer does not say it, or says it as a date, which the service never does. */
  private static Duration retryAfter(ApiException failure) {
    var headers = failure.getResponseHeaders();
    if (headers == null) {
      return Duration.ZERO;
    }
    return headers
        .firstValue("Retry-After")
        .filter(value -> value.matches("[0-9]{1,9}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .orElse(Duration.ZERO);
  }
}
