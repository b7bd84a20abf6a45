/** Tests of the benchmark. */
@NullMarked
package io.firstcome.benchmark.bench;

import org.jspecify.annotations.NullMarked;
