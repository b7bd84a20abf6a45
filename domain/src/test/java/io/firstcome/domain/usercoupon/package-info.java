/** Tests of the model. */
@NullMarked
package io.firstcome.domain.usercoupon;

import org.jspecify.annotations.NullMarked;
