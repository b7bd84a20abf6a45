/** The crowd of a rehearsal, and the loops that run and remove rehearsals. */
@NullMarked
package io.firstcome.bootstrap.rehearsal;

import org.jspecify.annotations.NullMarked;
