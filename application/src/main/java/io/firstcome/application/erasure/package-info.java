/** Erases users: replaces their ids by pseudonyms in stock and rows. */
@NullMarked
package io.firstcome.application.erasure;

import org.jspecify.annotations.NullMarked;
