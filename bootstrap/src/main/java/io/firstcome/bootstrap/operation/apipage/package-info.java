/** A page on the management port that shows the description of the API and sends calls. */
@NullMarked
package io.firstcome.bootstrap.operation.apipage;

import org.jspecify.annotations.NullMarked;
