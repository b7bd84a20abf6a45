/** What runs beside the requests: background loops, metrics, log lines, health. */
@NullMarked
package io.firstcome.bootstrap.operation;

import org.jspecify.annotations.NullMarked;
