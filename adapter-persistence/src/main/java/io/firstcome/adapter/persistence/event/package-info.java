/** The outbox of events as rows. */
@NullMarked
package io.firstcome.adapter.persistence.event;

import org.jspecify.annotations.NullMarked;
