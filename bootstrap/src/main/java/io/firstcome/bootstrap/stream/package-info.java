/** Streams of server-sent events. */
@NullMarked
package io.firstcome.bootstrap.stream;

import org.jspecify.annotations.NullMarked;
