/** The same random histories on two stock backends, which must not be told apart. */
@NullMarked
package io.firstcome.contracts.stock.history;

import org.jspecify.annotations.NullMarked;
