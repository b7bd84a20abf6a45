/** Rehearsals of a drop with synthetic users, and forecasts from what they have measured. */
@NullMarked
package io.firstcome.domain.rehearsal;

import org.jspecify.annotations.NullMarked;
