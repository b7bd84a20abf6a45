/**
 * Claims: one user asks for one coupon. Claims of a coupon that arrive together share a call to its
 * stock.
 */
@NullMarked
package io.firstcome.application.claim;

import org.jspecify.annotations.NullMarked;
