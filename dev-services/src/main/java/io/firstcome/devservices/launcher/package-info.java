/**
 * The program behind {@code ./firstcome}: the service on real servers, for daily use and for a
 * demo.
 */
@NullMarked
package io.firstcome.devservices.launcher;

import org.jspecify.annotations.NullMarked;
