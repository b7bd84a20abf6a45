package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.metric.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * How long this instance took to answer claims in the last seconds, from the buckets of {@link
 * Metric#CLAIM_LATENCY}. It is read about once a second while somebody looks.
 */
@Component
class RecentLatency {

  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final Timer timer;
  private final Deque<Reading> readings = new ArrayDeque<>();

  RecentLatency(MeterRegistry registry) {
    timer = Metric.CLAIM_LATENCY.timer(registry);
  }

  /** The counts since the start of the process, each with those of all shorter buckets. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Reading(long nanos, CountAtBucket[] buckets) {}

  /**
   * Percentiles in milliseconds: the upper bounds of the buckets that they are in.
   *
   * @param answers that were measured
   */
  record Percentiles(long answers, double p50, double p95, double p99) {}

  /** The percentiles of the last ten seconds, or empty if no claim was answered in them. */
  synchronized Optional<Percentiles> read() {
    var now = new Reading(System.nanoTime(), timer.takeSnapshot().histogramCounts());
    readings.addLast(now);
    while (now.nanos() - readings.getFirst().nanos() > WINDOW.toNanos() && readings.size() > 2) {
      readings.removeFirst();
    }
    return percentiles(readings.getFirst().buckets(), now.buckets());
  }

  private static Optional<Percentiles> percentiles(CountAtBucket[] before, CountAtBucket[] after) {
    if (after.length == 0 || before.length != after.length) {
      return Optional.empty();
    }
    double answers = after[after.length - 1].count() - before[before.length - 1].count();
    return answers <= 0
        ? Optional.empty()
        : Optional.of(
            new Percentiles(
                Math.round(answers),
                bound(before, after, answers * 0.5),
                bound(before, after, answers * 0.95),
                bound(before, after, answers * 0.99)));
  }

  /** The bound of the first bucket up to which there are so many answers. */
  private static double bound(CountAtBucket[] before, CountAtBucket[] after, double answers) {
    for (int i = 0; i < after.length; i++) {
      if (after[i].count() - before[i].count() >= answers) {
        return after[i].bucket(TimeUnit.MILLISECONDS);
      }
    }
    return after[after.length - 1].bucket(TimeUnit.MILLISECONDS);
  }
}
