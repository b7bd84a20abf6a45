/**
 * Scripts for issuing a limited number of coupons, in the form in which articles publish them.
 *
 * <p>The table of all of them has no unique constraint: only Redis decides who wins, and the
 * database is only written.
 */
@NullMarked
package io.firstcome.benchmark.lab.published;

import org.jspecify.annotations.NullMarked;
