/** Conditions under which the service refuses to start. */
@NullMarked
package io.firstcome.bootstrap.operation.start;

import org.jspecify.annotations.NullMarked;
