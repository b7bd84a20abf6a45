/** The adapters on a real PostgreSQL, held against the contracts of their ports. */
@NullMarked
package io.firstcome.adapter.persistence;

import org.jspecify.annotations.NullMarked;
