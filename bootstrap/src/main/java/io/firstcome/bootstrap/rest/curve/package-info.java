/** The curve of a coupon: how it was claimed and issued over time. */
@NullMarked
package io.firstcome.bootstrap.rest.curve;

import org.jspecify.annotations.NullMarked;
