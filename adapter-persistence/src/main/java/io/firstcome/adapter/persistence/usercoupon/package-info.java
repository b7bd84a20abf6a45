/** User coupons and their redemptions as rows. */
@NullMarked
package io.firstcome.adapter.persistence.usercoupon;

import org.jspecify.annotations.NullMarked;
