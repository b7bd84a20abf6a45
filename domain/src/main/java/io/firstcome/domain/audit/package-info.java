/** The audit trail: who did what to which coupon, and when. */
@NullMarked
package io.firstcome.domain.audit;

import org.jspecify.annotations.NullMarked;
