/** The well-known ways to give away a limited number of coupons, beside Firstcome. */
@NullMarked
package io.firstcome.benchmark.lab;

import org.jspecify.annotations.NullMarked;
