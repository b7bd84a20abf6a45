package io.firstcome.bootstrap.metric;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.NestedExceptionUtils;

/** Limits how often a log line on one subject is repeated. Thread-safe. */
final class LogLimit {

  /** The shortest time between two log lines on one subject, however many rounds fail. */
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(10);

  /** Some contain a coupon or a message. Beyond so many, lines are repeated sooner. */
  private static final int SUBJECTS_MAX = 10_000;

  private final ConcurrentHashMap<String, Long> lastNanos = new ConcurrentHashMap<>();

  /** Whether a line on the subject is due now; then the next one is due later. */
  boolean isDue(String subject) {
    if (lastNanos.size() >= SUBJECTS_MAX) {
      lastNanos.clear();
    }
    long now = System.nanoTime();
    var last =
        lastNanos.compute(
            subject,
            (key, before) ->
                before == null || now - before > REPEAT_AFTER.toNanos()
                    ? Long.valueOf(now)
                    : before);
    return last == now;
  }

  /** The message, that of its cause, which contains the server's own error, and the first one. */
  static String message(Throwable failure) {
    var cause = failure.getCause();
    if (cause == null) {
      return String.valueOf(failure.getMessage());
    }
    return Stream.of(cause, NestedExceptionUtils.getMostSpecificCause(cause))
        .map(Throwable::getMessage)
        .distinct()
        .collect(Collectors.joining(": ", failure.getMessage() + " (", ")"));
  }
}
