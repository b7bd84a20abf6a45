package io.firstcome.bootstrap.operation;

import io.firstcome.bootstrap.metric.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.springframework.stereotype.Component;

/**
 * How long claims took in the last seconds, from the buckets of {@link Metric#CLAIM_LATENCY}. The
 * counts of several instances can be added.
 */
@Component
class ClaimLatencies {

  /** As in {@link io.firstcome.domain.instance.InstanceReport}. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final Timer timer;
  private final Deque<Reading> readings = new ArrayDeque<>();

  ClaimLatencies(MeterRegistry registry) {
    timer = Metric.CLAIM_LATENCY.timer(registry);
  }

  /** The counts since the start of the process, by bucket. */
  private record Reading(long nanos, List<Long> counts) {}

  /**
   * How many claims this instance has answered in the last ten seconds, by bucket. To be called
   * about once a second.
   */
  synchronized List<Long> recent() {
    var now = new Reading(System.nanoTime(), counts(timer.takeSnapshot().histogramCounts()));
    readings.addLast(now);
    while (now.nanos() - readings.getFirst().nanos() > WINDOW.toNanos()) {
      readings.removeFirst();
    }
    var before = readings.getFirst().counts();
    var recent = new ArrayList<Long>();
    for (int i = 0; i < now.counts().size(); i++) {
      recent.add(now.counts().get(i) - before.get(i));
    }
    return recent;
  }

  /** Those of the buckets alone; Micrometer adds those of all shorter ones. */
  private static List<Long> counts(CountAtBucket[] buckets) {
    var counts = new ArrayList<Long>();
    double shorter = 0;
    for (var bucket : buckets) {
      counts.add(Math.round(bucket.count() - shorter));
      shorter = bucket.count();
    }
    return counts;
  }

  /**
   * The percentiles of the claims of several instances, or empty if they have answered none.
   *
   * @param counts of each instance by bucket; those with other buckets than this one are left out
   */
  Optional<LatencyPercentiles> percentiles(List<List<Long>> counts) {
    var buckets = timer.takeSnapshot().histogramCounts();
    long[] sums = new long[buckets.length];
    counts.stream()
        .filter(one -> one.size() == sums.length)
        .forEach(one -> {
          for (int i = 0; i < sums.length; i++) {
            sums[i] += one.get(i);
          }
        });
    long answers = LongStream.of(sums).sum();
    return answers == 0
        ? Optional.empty()
        : Optional.of(
            new LatencyPercentiles(
                answers,
                bound(buckets, sums, answers * 0.5),
                bound(buckets, sums, answers * 0.95),
                bound(buckets, sums, answers * 0.99)));
  }

  /** The bound of the first bucket up to which there are so many answers. */
  private static double bound(CountAtBucket[] buckets, long[] counts, double answers) {
    long shorter = 0;
    for (int i = 0; i < counts.length; i++) {
      shorter += counts[i];
      if (shorter >= answers) {
        return buckets[i].bucket(TimeUnit.MILLISECONDS);
      }
    }
    return buckets[buckets.length - 1].bucket(TimeUnit.MILLISECONDS);
  }
}
