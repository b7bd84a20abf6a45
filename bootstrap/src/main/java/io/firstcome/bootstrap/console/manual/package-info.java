/** The manual in the console: the documents of the version that runs. */
@NullMarked
package io.firstcome.bootstrap.console.manual;

import org.jspecify.annotations.NullMarked;
