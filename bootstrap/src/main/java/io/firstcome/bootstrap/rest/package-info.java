/** The HTTP contract, version 1: it speaks to the use cases and knows no adapter. */
@NullMarked
package io.firstcome.bootstrap.rest;

import org.jspecify.annotations.NullMarked;
