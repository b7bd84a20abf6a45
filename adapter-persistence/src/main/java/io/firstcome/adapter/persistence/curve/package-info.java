/** The curves of coupons. */
@NullMarked
package io.firstcome.adapter.persistence.curve;

import org.jspecify.annotations.NullMarked;
