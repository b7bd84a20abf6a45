package io.firstcome.bootstrap.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.domain.latency.LatencyHistogram;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class ClaimLatenciesTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ClaimLatencies latencies = new ClaimLatencies(registry);

  @Test
  void recent_claims_are_in_the_buckets_of_their_latencies() {
    var timer = Metric.CLAIM_LATENCY.timer(registry);
    timer.record(LatencyHistogram.BOUNDS.getFirst());
    latencies.recent();

    for (var bound : LatencyHistogram.BOUNDS) {
      timer.record(bound.minusNanos(1));
      timer.record(bound);
    }

    assertThat(latencies.recent().counts()).hasSameSizeAs(LatencyHistogram.BOUNDS).containsOnly(2L);
  }
}
