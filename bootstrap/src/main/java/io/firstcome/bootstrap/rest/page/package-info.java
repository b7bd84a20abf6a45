/** The page of one coupon for customers, and the web component that it shows. */
@NullMarked
package io.firstcome.bootstrap.rest.page;

import org.jspecify.annotations.NullMarked;
