/** Rehearsals. */
@NullMarked
package io.firstcome.adapter.persistence.rehearsal;

import org.jspecify.annotations.NullMarked;
