/** Waiting rooms: joining, serving, and what users see of them. */
@NullMarked
package io.firstcome.application.waitingroom;

import org.jspecify.annotations.NullMarked;
