/** The order in which a waiting room serves its tickets, and how fast. */
@NullMarked
package io.firstcome.domain.waitingroom;

import org.jspecify.annotations.NullMarked;
