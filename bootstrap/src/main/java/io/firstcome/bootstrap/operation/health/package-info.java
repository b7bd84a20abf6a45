/** The health of an instance and of what it depends on. */
@NullMarked
package io.firstcome.bootstrap.operation.health;

import org.jspecify.annotations.NullMarked;
