/** What an instance knows of the clocks of its servers. */
@NullMarked
package io.firstcome.domain.clock;

import org.jspecify.annotations.NullMarked;
