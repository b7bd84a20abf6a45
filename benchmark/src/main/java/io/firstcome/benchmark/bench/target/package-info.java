/**
 * The targets that the benchmark measures, and what they share. There is a class for each target,
 * hence more than twenty.
 */
@NullMarked
package io.firstcome.benchmark.bench.target;

import org.jspecify.annotations.NullMarked;
