/**
 * What the benchmark adds to the measured service. It runs in the service's JVM and is in no jar of
 * it.
 */
@NullMarked
package io.firstcome.benchmark.bench.service;

import org.jspecify.annotations.NullMarked;
