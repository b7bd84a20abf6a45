/** A slot that belongs to a user: its identity, its code, and its states. */
@NullMarked
package io.firstcome.domain.usercoupon;

import org.jspecify.annotations.NullMarked;
