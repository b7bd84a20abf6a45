/** Puts use cases and adapters together, by hand, from the configuration's properties. */
@NullMarked
package io.firstcome.bootstrap.wiring;

import org.jspecify.annotations.NullMarked;
