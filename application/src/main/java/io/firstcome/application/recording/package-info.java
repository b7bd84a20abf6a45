/** The recording of accepted claims: from the hand-off log of the stock to rows in the database. */
@NullMarked
package io.firstcome.application.recording;

import org.jspecify.annotations.NullMarked;
