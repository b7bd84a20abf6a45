/** Firstcome in this JVM, without its REST facade: what the measurements call. */
@NullMarked
package io.firstcome.benchmark.rig;

import org.jspecify.annotations.NullMarked;
