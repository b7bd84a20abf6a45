/** Compares the data of a coupon in stock, hand-off log and database. */
@NullMarked
package io.firstcome.application.reconciliation;

import org.jspecify.annotations.NullMarked;
