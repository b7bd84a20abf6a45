/** How each coupon is claimed and issued over time. */
@NullMarked
package io.firstcome.application.curve;

import org.jspecify.annotations.NullMarked;
