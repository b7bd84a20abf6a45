/** The resources of claims, and the public view of a coupon. */
@NullMarked
package io.firstcome.bootstrap.rest.claim;

import org.jspecify.annotations.NullMarked;
