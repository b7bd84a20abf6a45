/** The use cases, tested on the in-memory adapters of the port contracts. */
@NullMarked
package io.firstcome.application;

import org.jspecify.annotations.NullMarked;
