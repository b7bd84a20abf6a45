/** Inspects the servers that the service depends on: their settings, keys and clocks. */
@NullMarked
package io.firstcome.application.server;

import org.jspecify.annotations.NullMarked;
