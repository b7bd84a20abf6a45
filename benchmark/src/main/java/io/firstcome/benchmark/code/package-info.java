/** What the pure code costs, measured with JMH. */
@NullMarked
package io.firstcome.benchmark.code;

import org.jspecify.annotations.NullMarked;
