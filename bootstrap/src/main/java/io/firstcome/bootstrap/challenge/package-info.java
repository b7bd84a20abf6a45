/** The proof of work that users pass before they join a waiting room with a challenge. */
@NullMarked
package io.firstcome.bootstrap.challenge;

import org.jspecify.annotations.NullMarked;
