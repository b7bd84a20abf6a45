/** Webhooks and the deliveries to them as rows. */
@NullMarked
package io.firstcome.adapter.persistence.webhook;

import org.jspecify.annotations.NullMarked;
