/** What the row of an accepted claim costs PostgreSQL, now and in an earlier form. */
@NullMarked
package io.firstcome.benchmark.bench.row;

import org.jspecify.annotations.NullMarked;
