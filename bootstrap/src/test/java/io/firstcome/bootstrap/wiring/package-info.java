/** Tests of how the parts are put together. */
@NullMarked
package io.firstcome.bootstrap.wiring;

import org.jspecify.annotations.NullMarked;
