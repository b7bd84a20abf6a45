/** The stock of a coupon in PostgreSQL, where the rows of user coupons are the stock. */
@NullMarked
package io.firstcome.adapter.persistence.stock;

import org.jspecify.annotations.NullMarked;
