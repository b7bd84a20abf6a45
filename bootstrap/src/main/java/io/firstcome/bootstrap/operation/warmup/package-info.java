/** Execution of code before the first callers need it. */
@NullMarked
package io.firstcome.bootstrap.operation.warmup;

import org.jspecify.annotations.NullMarked;
