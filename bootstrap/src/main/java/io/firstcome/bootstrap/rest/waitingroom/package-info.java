/** Waiting rooms of coupons, as customers see them. */
@NullMarked
package io.firstcome.bootstrap.rest.waitingroom;

import org.jspecify.annotations.NullMarked;
