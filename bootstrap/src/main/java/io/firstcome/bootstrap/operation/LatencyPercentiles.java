package io.firstcome.bootstrap.operation;

/**
 * Percentiles in milliseconds: the upper bounds of the buckets that they are in.
 *
 * @param answers that were measured
 */
public record LatencyPercentiles(long answers, double p50, double p95, double p99) {}
