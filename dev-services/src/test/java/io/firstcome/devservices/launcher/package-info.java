/** Tests of the launcher, with a stub in the place of the service. */
@NullMarked
package io.firstcome.devservices.launcher;

import org.jspecify.annotations.NullMarked;
