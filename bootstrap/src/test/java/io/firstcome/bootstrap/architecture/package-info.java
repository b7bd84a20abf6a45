/** The architecture as rules that the build runs, and for each rule a fixture that breaks it. */
@NullMarked
package io.firstcome.bootstrap.architecture;

import org.jspecify.annotations.NullMarked;
