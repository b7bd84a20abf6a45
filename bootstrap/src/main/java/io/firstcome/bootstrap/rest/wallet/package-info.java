/** The resources of a customer's user coupons. */
@NullMarked
package io.firstcome.bootstrap.rest.wallet;

import org.jspecify.annotations.NullMarked;
