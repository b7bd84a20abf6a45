/** What a comparison of stock, hand-off log and database finds. */
@NullMarked
package io.firstcome.domain.reconciliation;

import org.jspecify.annotations.NullMarked;
