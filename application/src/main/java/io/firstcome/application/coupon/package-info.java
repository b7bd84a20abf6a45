/** Coupons as their operators define, change and read them. */
@NullMarked
package io.firstcome.application.coupon;

import org.jspecify.annotations.NullMarked;
