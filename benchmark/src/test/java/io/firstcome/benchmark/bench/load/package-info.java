/** Tests of the load. */
@NullMarked
package io.firstcome.benchmark.bench.load;

import org.jspecify.annotations.NullMarked;
