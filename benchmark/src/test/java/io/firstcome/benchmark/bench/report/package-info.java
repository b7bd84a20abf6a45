/** Tests of the report. */
@NullMarked
package io.firstcome.benchmark.bench.report;

import org.jspecify.annotations.NullMarked;
