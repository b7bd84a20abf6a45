/** Measurements of the performance targets, each a ratio within one run, and the strategy lab. */
@NullMarked
package io.firstcome.benchmark;

import org.jspecify.annotations.NullMarked;
