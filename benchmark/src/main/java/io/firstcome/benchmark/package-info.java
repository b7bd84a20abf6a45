/** Measurements of the targets, each a ratio from one run, and the strategy lab. */
@NullMarked
package io.firstcome.benchmark;

import org.jspecify.annotations.NullMarked;
