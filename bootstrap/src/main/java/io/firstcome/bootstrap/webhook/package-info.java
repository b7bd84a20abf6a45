/** The sending of events to webhooks by HTTP, and its loops. */
@NullMarked
package io.firstcome.bootstrap.webhook;

import org.jspecify.annotations.NullMarked;
