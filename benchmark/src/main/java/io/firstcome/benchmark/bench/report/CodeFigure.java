package io.firstcome.benchmark.bench.report;

/**
 * The cost of one call of pure code.
 *
 * @param nanos average time
 * @param error half of the 99.9 % confidence interval of the average; NaN after too few iterations
 * @param bytes allocated
 */
public record CodeFigure(String name, double nanos, double error, double bytes) {}
