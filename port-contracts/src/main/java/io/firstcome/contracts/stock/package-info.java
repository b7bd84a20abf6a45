/**
 * The contracts of stock, recovery and hand-off log, and an in-memory backend that implements them.
 * More than twenty classes, because the contracts share the steps of {@link StockScenario}, and the
 * parts of the backend share its data.
 */
@NullMarked
package io.firstcome.contracts.stock;

import org.jspecify.annotations.NullMarked;
