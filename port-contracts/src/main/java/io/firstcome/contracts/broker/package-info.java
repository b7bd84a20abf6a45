/** The contract of the broker's ports, and an in-memory broker that implements them. */
@NullMarked
package io.firstcome.contracts.broker;

import org.jspecify.annotations.NullMarked;
