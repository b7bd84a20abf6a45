/** The ways to give away a limited number of coupons, each in its honest best form. */
@NullMarked
package io.firstcome.benchmark.lab.strategy;

import org.jspecify.annotations.NullMarked;
