/** The in-memory backend is held to the contracts. */
@NullMarked
package io.firstcome.contracts.stock;

import org.jspecify.annotations.NullMarked;
