/** Outbound ports: what the use cases need from the outside, one capability each. */
@NullMarked
package io.firstcome.domain.port;

import org.jspecify.annotations.NullMarked;
