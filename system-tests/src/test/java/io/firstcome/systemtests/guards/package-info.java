/**
 * Every guard of the code removed in turn, by a patch of its own, to see that a test goes red: a
 * guard that nothing misses is not known to work.
 */
@NullMarked
package io.firstcome.systemtests.guards;

import org.jspecify.annotations.NullMarked;
