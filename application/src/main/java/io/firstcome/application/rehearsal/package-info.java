/** Rehearsals of a drop, and forecasts from them. */
@NullMarked
package io.firstcome.application.rehearsal;

import org.jspecify.annotations.NullMarked;
