/**
 * The definition of a coupon: discount, quantity, issuance window, validity and status. More than
 * twenty classes, because a coupon consists of many values, each of which checks itself.
 */
@NullMarked
package io.firstcome.domain.coupon;

import org.jspecify.annotations.NullMarked;
