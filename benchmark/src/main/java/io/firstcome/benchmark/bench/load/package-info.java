/** Load on one of Firstcome's servers or on the service, and what came of it. */
@NullMarked
package io.firstcome.benchmark.bench.load;

import org.jspecify.annotations.NullMarked;
