/** How long claims take. */
@NullMarked
package io.firstcome.domain.latency;

import org.jspecify.annotations.NullMarked;
