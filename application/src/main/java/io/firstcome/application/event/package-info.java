/** Publishes the events of the outbox. */
@NullMarked
package io.firstcome.application.event;

import org.jspecify.annotations.NullMarked;
