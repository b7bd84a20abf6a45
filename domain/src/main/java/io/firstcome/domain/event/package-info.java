/** Events for other systems: changes of coupons and user coupons. */
@NullMarked
package io.firstcome.domain.event;

import org.jspecify.annotations.NullMarked;
