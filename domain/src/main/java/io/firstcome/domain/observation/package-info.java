/** What an instance reports to its operators, as metrics and log lines. */
@NullMarked
package io.firstcome.domain.observation;

import org.jspecify.annotations.NullMarked;
