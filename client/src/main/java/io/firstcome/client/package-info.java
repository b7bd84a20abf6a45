/**
 * A client of Firstcome. {@link io.firstcome.client.Firstcome} is where to begin; the calls and
 * their types, in the packages beside this one, are generated from the description of the API.
 */
@NullMarked
package io.firstcome.client;

import org.jspecify.annotations.NullMarked;
