/** Wires use cases and adapters explicitly, from the configuration properties. */
@NullMarked
package io.firstcome.bootstrap.wiring;

import org.jspecify.annotations.NullMarked;
