/** The public view of a coupon. */
@NullMarked
package io.firstcome.bootstrap.rest.coupon;

import org.jspecify.annotations.NullMarked;
