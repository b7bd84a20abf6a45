/** Refusals and failures as problem details (RFC 9457). */
@NullMarked
package io.firstcome.bootstrap.problem;

import org.jspecify.annotations.NullMarked;
