/**
 * Beans that the benchmark adds to the measured service. They run in its JVM, but are not in its
 * jar.
 */
@NullMarked
package io.firstcome.benchmark.bench.service;

import org.jspecify.annotations.NullMarked;
