/** Contracts of the ports to the database, and a database in memory that meets them. */
@NullMarked
package io.firstcome.contracts.database;

import org.jspecify.annotations.NullMarked;
