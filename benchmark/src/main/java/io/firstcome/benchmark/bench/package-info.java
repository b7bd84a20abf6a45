/** The targets of the design, measured. */
@NullMarked
package io.firstcome.benchmark.bench;

import org.jspecify.annotations.NullMarked;
