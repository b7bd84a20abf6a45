/** What went wrong lately at this instance, for the pages of operators. */
@NullMarked
package io.firstcome.bootstrap.incident;

import org.jspecify.annotations.NullMarked;
