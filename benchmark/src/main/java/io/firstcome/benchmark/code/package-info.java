/** JMH benchmarks of pure code: code without input and output. */
@NullMarked
package io.firstcome.benchmark.code;

import org.jspecify.annotations.NullMarked;
