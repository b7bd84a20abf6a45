/**
 * Outbound ports: what the use cases need from the outside, one capability each. More than twenty
 * types, as each capability and each kind of failure is one.
 */
@NullMarked
package io.firstcome.domain.port;

import org.jspecify.annotations.NullMarked;
