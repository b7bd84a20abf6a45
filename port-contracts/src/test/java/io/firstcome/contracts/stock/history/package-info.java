/** Tests of the histories themselves. */
@NullMarked
package io.firstcome.contracts.stock.history;

import org.jspecify.annotations.NullMarked;
