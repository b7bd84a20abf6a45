/** The contract of the broker's ports, and the broker in memory that shows it. */
@NullMarked
package io.firstcome.contracts.broker;

import org.jspecify.annotations.NullMarked;
