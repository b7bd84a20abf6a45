/** Authenticates callers and decides which operations they may call. */
@NullMarked
package io.firstcome.bootstrap.security;

import org.jspecify.annotations.NullMarked;
