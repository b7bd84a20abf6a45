/** The export of user coupons whose retention is over. */
@NullMarked
package io.firstcome.domain.retention;

import org.jspecify.annotations.NullMarked;
