/** Reports a start that the service itself refuses. */
@NullMarked
package io.firstcome.bootstrap.refusal;

import org.jspecify.annotations.NullMarked;
