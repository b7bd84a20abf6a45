/** Database sessions: statements, transactions, failures, time limits, clock, server settings. */
@NullMarked
package io.firstcome.adapter.persistence.session;

import org.jspecify.annotations.NullMarked;
