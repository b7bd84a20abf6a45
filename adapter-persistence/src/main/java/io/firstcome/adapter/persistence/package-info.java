/** The database's ports on PostgreSQL, with jOOQ. */
@NullMarked
package io.firstcome.adapter.persistence;

import org.jspecify.annotations.NullMarked;
