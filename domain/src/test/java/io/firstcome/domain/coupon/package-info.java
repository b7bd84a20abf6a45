/** Tests of the model. */
@NullMarked
package io.firstcome.domain.coupon;

import org.jspecify.annotations.NullMarked;
