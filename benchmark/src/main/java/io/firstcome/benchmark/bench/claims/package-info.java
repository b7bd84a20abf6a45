/** Claims without HTTP, through group commit in the process of the benchmark. */
@NullMarked
package io.firstcome.benchmark.bench.claims;

import org.jspecify.annotations.NullMarked;
