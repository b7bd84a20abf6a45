/** Coupons as rows. */
@NullMarked
package io.firstcome.adapter.persistence.coupon;

import org.jspecify.annotations.NullMarked;
