/** The allocation of slots: claims and their outcomes, ledger, epochs and fences. */
@NullMarked
package io.firstcome.domain.issuance;

import org.jspecify.annotations.NullMarked;
