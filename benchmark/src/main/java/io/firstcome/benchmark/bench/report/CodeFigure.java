package io.firstcome.benchmark.bench.report;

/**
 * What a piece of pure code costs each time.
 *
 * @param nanos average
 * @param error half of the interval in which the average is with 99.9 %; not a number where too few
 *     iterations were made
 * @param bytes allocated
 */
public record CodeFigure(String name, double nanos, double error, double bytes) {}
