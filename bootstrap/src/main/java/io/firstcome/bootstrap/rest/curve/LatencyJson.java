package io.firstcome.bootstrap.rest.curve;

import io.firstcome.domain.latency.LatencyPercentiles;

/** Percentiles of the latency of claims, as JSON. */
public record LatencyJson(long p50Millis, long p95Millis, long p99Millis) {

  public static LatencyJson of(LatencyPercentiles percentiles) {
    return new LatencyJson(
        percentiles.p50().toMillis(), percentiles.p95().toMillis(), percentiles.p99().toMillis());
  }
}
