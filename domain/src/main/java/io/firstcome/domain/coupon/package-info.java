/** The definition of a coupon: discount, quantity, issuance window, validity and status. */
@NullMarked
package io.firstcome.domain.coupon;

import org.jspecify.annotations.NullMarked;
