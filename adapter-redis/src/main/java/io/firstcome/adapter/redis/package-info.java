/**
 * The stock of coupons and the hand-off log in Redis: one Lua script for each atomic step. More
 * than twenty classes are in one package, because they share keys, scripts and connections that no
 * other package may use.
 */
@NullMarked
package io.firstcome.adapter.redis;

import org.jspecify.annotations.NullMarked;
