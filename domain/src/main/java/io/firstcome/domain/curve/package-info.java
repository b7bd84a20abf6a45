/** How many claims were answered, and how many user coupons issued, in each interval of time. */
@NullMarked
package io.firstcome.domain.curve;

import org.jspecify.annotations.NullMarked;
