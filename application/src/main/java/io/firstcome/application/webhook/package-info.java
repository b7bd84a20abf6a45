/** Delivers events to webhooks, and lets operators manage them. */
@NullMarked
package io.firstcome.application.webhook;

import org.jspecify.annotations.NullMarked;
