/** The metrics of the service: their names, labels and descriptions in one place. */
@NullMarked
package io.firstcome.bootstrap.metric;

import org.jspecify.annotations.NullMarked;
