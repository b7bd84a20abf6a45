/** The servers and the service that are measured. */
@NullMarked
package io.firstcome.benchmark.bench.stack;

import org.jspecify.annotations.NullMarked;
