/** The pieces of the facade that need no server. */
@NullMarked
package io.firstcome.bootstrap.rest;

import org.jspecify.annotations.NullMarked;
