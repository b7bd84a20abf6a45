package io.firstcome.domain.latency;

import java.time.Duration;

/** Percentiles of latencies: the upper bounds of the buckets that they are in. */
public record LatencyPercentiles(Duration p50, Duration p95, Duration p99) {}
