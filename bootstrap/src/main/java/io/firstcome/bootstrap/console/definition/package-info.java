/** The forms of the console with which a coupon is defined and edited. */
@NullMarked
package io.firstcome.bootstrap.console.definition;

import org.jspecify.annotations.NullMarked;
