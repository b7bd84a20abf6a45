/** The resources of claims. */
@NullMarked
package io.firstcome.bootstrap.rest.claim;

import org.jspecify.annotations.NullMarked;
