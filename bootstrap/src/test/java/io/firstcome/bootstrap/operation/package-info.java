/** Tests of what goes on beside the requests. */
@NullMarked
package io.firstcome.bootstrap.operation;

import org.jspecify.annotations.NullMarked;
