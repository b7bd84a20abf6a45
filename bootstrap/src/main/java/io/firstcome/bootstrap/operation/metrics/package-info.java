/** The observations of an instance as metrics and log lines. */
@NullMarked
package io.firstcome.bootstrap.operation.metrics;

import org.jspecify.annotations.NullMarked;
