/**
 * Makes a stock that was lost, restarted or replaced agree with the database again, and opens it.
 */
@NullMarked
package io.firstcome.application.recovery;

import org.jspecify.annotations.NullMarked;
