/**
 * Strategies for issuing a limited number of coupons, each in the best form that its idea allows.
 * More than twenty classes, since each strategy is one.
 */
@NullMarked
package io.firstcome.benchmark.lab.strategy;

import org.jspecify.annotations.NullMarked;
