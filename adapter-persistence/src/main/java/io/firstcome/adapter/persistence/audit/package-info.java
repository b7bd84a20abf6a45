/** The audit trail as rows. */
@NullMarked
package io.firstcome.adapter.persistence.audit;

import org.jspecify.annotations.NullMarked;
