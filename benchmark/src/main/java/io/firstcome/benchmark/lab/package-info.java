/** Measures well-known strategies for issuing a limited number of coupons, and Firstcome. */
@NullMarked
package io.firstcome.benchmark.lab;

import org.jspecify.annotations.NullMarked;
