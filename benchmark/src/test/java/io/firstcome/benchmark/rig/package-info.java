/** Tests of the rig. */
@NullMarked
package io.firstcome.benchmark.rig;

import org.jspecify.annotations.NullMarked;
