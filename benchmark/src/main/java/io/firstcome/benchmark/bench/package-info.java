/** The performance targets, measured. */
@NullMarked
package io.firstcome.benchmark.bench;

import org.jspecify.annotations.NullMarked;
