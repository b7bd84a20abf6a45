/** Load generators for the service and for Redis, and their results. */
@NullMarked
package io.firstcome.benchmark.bench.load;

import org.jspecify.annotations.NullMarked;
