/** Tests of the measured stack. */
@NullMarked
package io.firstcome.benchmark.bench.stack;

import org.jspecify.annotations.NullMarked;
