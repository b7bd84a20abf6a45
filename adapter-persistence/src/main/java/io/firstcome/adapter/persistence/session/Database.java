package io.firstcome.adapter.persistence.session;

import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UnrecordableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * Runs statements and transactions, and translates failures into the exceptions of the ports, which
 * say whether the call may have had an effect.
 *
 * <p>A transaction that PostgreSQL aborted in favour of another one (a deadlock, a serialization
 * failure) had no effect and is retried. So what the work of a transaction does outside the
 * database must be idempotent.
 */
public final class Database {

  /**
   * Maximum attempts of a transaction. All writers take their locks in one order, so a deadlock
   * needs two batches that claim the same slots; each attempt completes at least one of them.
   */
  static final int MAX_ATTEMPTS = 5;

  private final DSLContext dsl;
  private final int maxAttempts;

  public Database(DSLContext dsl) {
    this(dsl, MAX_ATTEMPTS);
  }

  public Database(DSLContext dsl, int maxAttempts) {
    this.dsl = dsl;
    this.maxAttempts = maxAttempts;
  }

  /** Reads rows without changing any. */
  public <T> T read(Function<DSLContext, T> query) {
    return run(query, Effect.NONE);
  }

  /** Runs one statement that changes rows, in a transaction of its own. */
  public <T> T statement(Function<DSLContext, T> work) {
    return run(work, Effect.UNKNOWN);
  }

  private <T> T run(Function<DSLContext, T> work, Effect ifNoReply) {
    try {
      return work.apply(dsl);
    } catch (RuntimeException e) {
      throw DatabaseErrors.translate(e, ifNoReply);
    }
  }

  /** Runs several statements that take effect together or not at all. */
  public <T> T transaction(Function<DSLContext, T> work) {
    for (int attempt = 1; ; attempt++) {
      // A failure before the COMMIT is sent rolls back the whole transaction.
      var ifNoReply = new AtomicReference<>(Effect.NONE);
      try {
        return dsl.transactionResult(transaction -> {
          var result = work.apply(transaction.dsl());
          ifNoReply.set(Effect.UNKNOWN);
          return result;
        });
      } catch (RuntimeException e) {
        if (attempt == maxAttempts || !DatabaseErrors.lostToAnotherTransaction(e)) {
          throw DatabaseErrors.translate(e, ifNoReply.get());
        }
      }
    }
  }

  /**
   * Runs several statements that take effect together or not at all, each of which waits for a lock
   * for at most that time.
   */
  public <T> T transaction(Duration lockWait, Function<DSLContext, T> work) {
    return transaction(dsl -> {
      dsl.select(SessionSettings.setLocal(SessionSettings.LOCK_WAIT, lockWait)).fetch();
      return work.apply(dsl);
    });
  }

  /**
   * Runs the first work in a transaction; if a unique constraint aborts it, runs the second work in
   * a new transaction.
   */
  public <T> T transaction(
      Function<DSLContext, T> first, Function<DSLContext, T> onUniqueViolation) {
    try {
      return transaction(first);
    } catch (UnrecordableException e) {
      if (!DatabaseErrors.isRowInTheWay(e)) {
        throw e;
      }
      return transaction(onUniqueViolation);
    }
  }
}
