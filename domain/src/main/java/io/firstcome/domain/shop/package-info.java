/** Shops, their orders, and where the coupon codes that they send come from. */
@NullMarked
package io.firstcome.domain.shop;

import org.jspecify.annotations.NullMarked;
