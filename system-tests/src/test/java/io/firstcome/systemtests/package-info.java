/**
 * The packaged service on real servers, seen from outside: what it promises, under load and under
 * faults.
 */
@NullMarked
package io.firstcome.systemtests;

import org.jspecify.annotations.NullMarked;
