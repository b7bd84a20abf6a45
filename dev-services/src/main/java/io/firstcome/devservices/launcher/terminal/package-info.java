/** The launcher's output for the user. */
@NullMarked
package io.firstcome.devservices.launcher.terminal;

import org.jspecify.annotations.NullMarked;
