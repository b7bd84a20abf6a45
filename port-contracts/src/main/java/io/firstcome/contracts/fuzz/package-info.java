/** What every parser must do with any input, checked by a coverage-guided fuzzer. */
@NullMarked
package io.firstcome.contracts.fuzz;

import org.jspecify.annotations.NullMarked;
