/** Estimates of the clocks of servers. */
@NullMarked
package io.firstcome.domain.clock;

import org.jspecify.annotations.NullMarked;
