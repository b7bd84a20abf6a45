/**
 * Bounds how many requests a caller and an address may send, and how many are handled at a time.
 */
@NullMarked
package io.firstcome.bootstrap.load;

import org.jspecify.annotations.NullMarked;
