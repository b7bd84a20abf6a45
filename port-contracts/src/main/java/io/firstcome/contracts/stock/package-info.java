/**
 * The contracts of stock, recovery and hand-off log, and an in-memory backend that implements them.
 */
@NullMarked
package io.firstcome.contracts.stock;

import org.jspecify.annotations.NullMarked;
