/** The HTTP API, version 1: it calls the use cases and depends on no adapter. */
@NullMarked
package io.firstcome.bootstrap.rest;

import org.jspecify.annotations.NullMarked;
