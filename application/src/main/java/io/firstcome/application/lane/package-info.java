/** Requests of users that share calls to the stock, in the order of their arrival. */
@NullMarked
package io.firstcome.application.lane;

import org.jspecify.annotations.NullMarked;
