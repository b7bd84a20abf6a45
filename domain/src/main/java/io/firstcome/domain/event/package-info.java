/** What other systems are told: that something has happened to a coupon or a user coupon. */
@NullMarked
package io.firstcome.domain.event;

import org.jspecify.annotations.NullMarked;
