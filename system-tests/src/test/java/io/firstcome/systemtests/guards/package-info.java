/**
 * Every guard of the code removed in turn, to see a test fail: a guard that no test misses is not
 * known to work.
 */
@NullMarked
package io.firstcome.systemtests.guards;

import org.jspecify.annotations.NullMarked;
