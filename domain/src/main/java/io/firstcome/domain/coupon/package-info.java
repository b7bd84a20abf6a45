/** The definition of a promotion: what is given away, how many, when, and on what terms. */
@NullMarked
package io.firstcome.domain.coupon;

import org.jspecify.annotations.NullMarked;
