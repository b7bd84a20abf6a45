/** The records of waiting rooms as rows. */
@NullMarked
package io.firstcome.adapter.persistence.waitingroom;

import org.jspecify.annotations.NullMarked;
