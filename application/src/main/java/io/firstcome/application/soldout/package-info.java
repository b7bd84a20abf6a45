/** Refusals of sold-out coupons without a call to the stock, under leases. */
@NullMarked
package io.firstcome.application.soldout;

import org.jspecify.annotations.NullMarked;
