/** Whether JMH runs. */
@NullMarked
package io.firstcome.benchmark.code;

import org.jspecify.annotations.NullMarked;
