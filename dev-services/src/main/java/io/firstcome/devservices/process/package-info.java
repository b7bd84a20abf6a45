/** Processes, programs, folders and ports of this machine. */
@NullMarked
package io.firstcome.devservices.process;

import org.jspecify.annotations.NullMarked;
