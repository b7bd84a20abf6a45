/** Accepted claims between stock and database, and dead letters. */
@NullMarked
package io.firstcome.domain.handoff;

import org.jspecify.annotations.NullMarked;
