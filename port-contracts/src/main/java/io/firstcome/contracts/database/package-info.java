/**
 * Contracts of the ports to the database, and an in-memory database that implements them. More than
 * twenty classes, because each port has one contract and one implementation here.
 */
@NullMarked
package io.firstcome.contracts.database;

import org.jspecify.annotations.NullMarked;
