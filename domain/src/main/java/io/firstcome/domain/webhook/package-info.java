/** Webhooks: HTTP endpoints to which events are delivered. */
@NullMarked
package io.firstcome.domain.webhook;

import org.jspecify.annotations.NullMarked;
