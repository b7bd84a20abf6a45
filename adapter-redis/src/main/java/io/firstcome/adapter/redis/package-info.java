/** The stock of coupons and the hand-off log in Redis: one Lua script for each atomic step. */
@NullMarked
package io.firstcome.adapter.redis;

import org.jspecify.annotations.NullMarked;
