/** Reads the audit trail. */
@NullMarked
package io.firstcome.application.audit;

import org.jspecify.annotations.NullMarked;
