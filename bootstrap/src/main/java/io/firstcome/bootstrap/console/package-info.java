/**
 * The console: pages with which operators prepare, watch and change coupons. It calls the same
 * operations as the HTTP API.
 */
@NullMarked
package io.firstcome.bootstrap.console;

import org.jspecify.annotations.NullMarked;
