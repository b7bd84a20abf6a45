/** Traces of sampled claims, from the request to the row. */
@NullMarked
package io.firstcome.bootstrap.trace;

import org.jspecify.annotations.NullMarked;
