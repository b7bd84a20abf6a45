/** Tests of the lab. */
@NullMarked
package io.firstcome.benchmark.lab;

import org.jspecify.annotations.NullMarked;
