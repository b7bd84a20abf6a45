package io.firstcome.adapter.persistence;

import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UnrecordableException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Runs statements and transactions, and turns what fails into the exceptions of the ports, which
 * say whether it may have happened all the same.
 *
 * <p>A transaction that PostgreSQL broke off in favour of another one (a deadlock, a serialization
 * failure) did nothing and is run again. So what the work of a transaction does outside the
 * database must be as good done twice.
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

  /** Asks for rows, and changes none. */
  <T> T read(Function<DSLContext, T> question) {
    return run(question, Effect.NONE);
  }

  /** Runs one statement that changes rows, in a transaction of its own. */
  <T> T statement(Function<DSLContext, T> work) {
    return run(work, Effect.UNKNOWN);
  }

  private <T> T run(Function<DSLContext, T> work, Effect ifNotAnswered) {
    try {
      return work.apply(dsl);
    } catch (RuntimeException e) {
      throw DatabaseErrors.translate(e, ifNotAnswered);
    }
  }

  /** Runs several statements that take effect together or not at all. */
  <T> T transaction(Function<DSLContext, T> work) {
    for (int attempt = 1; ; attempt++) {
      // Whatever fails before the COMMIT is sent takes the whole transaction with it.
      var ifNotAnswered = new AtomicReference<>(Effect.NONE);
      try {
        return dsl.transactionResult(transaction -> {
          var result = work.apply(transaction.dsl());
          ifNotAnswered.set(Effect.UNKNOWN);
          return result;
        });
      } catch (RuntimeException e) {
        if (attempt == maxAttempts || !DatabaseErrors.lostToAnotherTransaction(e)) {
          throw DatabaseErrors.translate(e, ifNotAnswered.get());
        }
      }
    }
  }

  /**
   * The same; and if a row with a key of one of the first work's rows ends its transaction, the
   * second work in a transaction of its own.
   */
  <T> T transaction(Function<DSLContext, T> first, Function<DSLContext, T> ifARowIsInTheWay) {
    try {
      return transaction(first);
    } catch (UnrecordableException e) {
      if (!DatabaseErrors.isRowInTheWay(e)) {
        throw e;
      }
      return transaction(ifARowIsInTheWay);
    }
  }
}
