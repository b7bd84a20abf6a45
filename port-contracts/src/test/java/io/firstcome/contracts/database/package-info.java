/** The contracts of the database's ports, held against the database in memory. */
@NullMarked
package io.firstcome.contracts.database;

import org.jspecify.annotations.NullMarked;
