/** An order service that uses the client. */
@NullMarked
package io.firstcome.examples;

import org.jspecify.annotations.NullMarked;
