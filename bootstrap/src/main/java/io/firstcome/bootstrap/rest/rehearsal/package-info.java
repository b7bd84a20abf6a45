/** Endpoints of rehearsals and forecasts. */
@NullMarked
package io.firstcome.bootstrap.rest.rehearsal;

import org.jspecify.annotations.NullMarked;
