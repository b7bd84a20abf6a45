/** Coupons and claims that the contracts of all ports share. */
@NullMarked
package io.firstcome.contracts;

import org.jspecify.annotations.NullMarked;
