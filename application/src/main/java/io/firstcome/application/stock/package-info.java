/** Access to the stock of a coupon, in any backend, with the epoch that this instance knows. */
@NullMarked
package io.firstcome.application.stock;

import org.jspecify.annotations.NullMarked;
