/** The removal of user coupons whose retention is over. */
@NullMarked
package io.firstcome.application.retention;

import org.jspecify.annotations.NullMarked;
