package io.firstcome.bootstrap.operation;

import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.domain.latency.LatencyHistogram;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import org.springframework.stereotype.Component;

/** How long claims took in the last seconds, from the buckets of {@link Metric#CLAIM_LATENCY}. */
@Component
class ClaimLatencies {

  /** As in {@link io.firstcome.domain.instance.InstanceReport}. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final Timer timer;
  private final Deque<Reading> readings = new ArrayDeque<>();

  ClaimLatencies(MeterRegistry registry) {
    timer = Metric.CLAIM_LATENCY.timer(registry);
  }

  /** The latencies since the start of the process. */
  private record Reading(long nanos, LatencyHistogram latencies) {}

  /**
   * The latencies of the claims that this instance has answered in the last ten seconds. To be
   * called about once a second.
   */
  synchronized LatencyHistogram recent() {
    var now = new Reading(System.nanoTime(), sinceStart());
    readings.addLast(now);
    while (now.nanos() - readings.getFirst().nanos() > WINDOW.toNanos()) {
      readings.removeFirst();
    }
    return now.latencies().since(readings.getFirst().latencies());
  }

  /** The buckets of Micrometer contain those of all shorter latencies. */
  private LatencyHistogram sinceStart() {
    var counts = new ArrayList<Long>();
    double shorter = 0;
    for (var bucket : timer.takeSnapshot().histogramCounts()) {
      counts.add(Math.round(bucket.count() - shorter));
      shorter = bucket.count();
    }
    return new LatencyHistogram(counts);
  }
}
