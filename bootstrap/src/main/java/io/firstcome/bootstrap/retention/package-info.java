/** The export of user coupons whose retention is over to files, and the loop that does it. */
@NullMarked
package io.firstcome.bootstrap.retention;

import org.jspecify.annotations.NullMarked;
