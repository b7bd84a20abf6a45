package io.firstcome.adapter.persistence;

import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Runs statements and transactions, and turns what fails into the exceptions of the ports.
 *
 * <p>A transaction that PostgreSQL broke off in favour of another one (a deadlock, a serialization
 * failure) did nothing and is run again. So the work of a transaction must have no effect outside
 * the database.
 */
final class Database {

  /**
   * How often a transaction is tried. Writers take their locks in one order, so a deadlock needs
   * two batches that dispute slots; each try ends with at least one of them done.
   */
  static final int MAX_ATTEMPTS = 5;

  private final DSLContext dsl;
  private final int maxAttempts;

  Database(DSLContext dsl) {
    this(dsl, MAX_ATTEMPTS);
  }

  Database(DSLContext dsl, int maxAttempts) {
    this.dsl = dsl;
    this.maxAttempts = maxAttempts;
  }

  /** Runs one statement, in a transaction of its own. */
  <T> T statement(Function<DSLContext, T> work) {
    try {
      return work.apply(dsl);
    } catch (RuntimeException e) {
      throw DatabaseErrors.translate(e);
    }
  }

  /** Runs several statements that take effect together or not at all. */
  <T> T transaction(Function<DSLContext, T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return dsl.transactionResult(transaction -> work.apply(transaction.dsl()));
      } catch (RuntimeException e) {
        if (attempt == maxAttempts || !DatabaseErrors.lostToAnotherTransaction(e)) {
          throw DatabaseErrors.translate(e);
        }
      }
    }
  }
}
