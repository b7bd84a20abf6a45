/** The use cases: what the service does, in plain Java over the domain's ports. */
@NullMarked
package io.firstcome.application;

import org.jspecify.annotations.NullMarked;
