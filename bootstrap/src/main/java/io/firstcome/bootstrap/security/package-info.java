/**
 * Authenticates callers and decides which operations they may call. More than twenty classes,
 * because each way to be authenticated results in the same caller and scopes, which no other
 * package may create.
 */
@NullMarked
package io.firstcome.bootstrap.security;

import org.jspecify.annotations.NullMarked;
