/** Bounds what a client can occupy by its connections, before a request is handled. */
@NullMarked
package io.firstcome.bootstrap.connector;

import org.jspecify.annotations.NullMarked;
