/**
 * What the calls of all resources share: the caller, ids, page limits, preferences, the members of
 * a coupon.
 */
@NullMarked
package io.firstcome.bootstrap.rest.request;

import org.jspecify.annotations.NullMarked;
