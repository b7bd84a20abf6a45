/** User coupons: listing, quotes, holds, use, return, revocation and expiry. */
@NullMarked
package io.firstcome.application.usercoupon;

import org.jspecify.annotations.NullMarked;
