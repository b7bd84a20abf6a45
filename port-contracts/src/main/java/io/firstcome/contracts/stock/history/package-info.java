/** The same random histories on two stock backends, which must reply the same. */
@NullMarked
package io.firstcome.contracts.stock.history;

import org.jspecify.annotations.NullMarked;
