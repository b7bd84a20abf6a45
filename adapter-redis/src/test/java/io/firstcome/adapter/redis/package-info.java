/** The Redis adapters on a real Redis. */
@NullMarked
package io.firstcome.adapter.redis;

import org.jspecify.annotations.NullMarked;
