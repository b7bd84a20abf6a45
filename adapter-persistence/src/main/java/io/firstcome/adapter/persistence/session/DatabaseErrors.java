package io.firstcome.adapter.persistence.session;

import io.firstcome.domain.port.DatabaseBusyException;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UnrecordableException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of the database into the exceptions of the ports.
 *
 * <p>It searches the chain of causes for the {@link SQLException} of the JDBC driver or the pool,
 * because plain jOOQ, Spring's translation of exceptions and Spring's transactions each wrap it in
 * their own. The messages here contain only the SQLSTATE, since a server's message can contain a
 * user id or a code.
 *
 * @see <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL's error
 *     codes</a>
 */
public final class DatabaseErrors {

  /** Serialization failure and deadlock. */
  private static final Set<String> TRANSACTION_CONFLICTS = Set.of("40001", "40P01");

  private static final String UNIQUE_VIOLATION = "23505";

  /** Data exceptions and violated constraints: the same rows fail again. */
  private static final Set<String> DATA_CLASSES = Set.of("22", "23");

  /**
   * Connection failure, insufficient resources (a full disk, too many sessions), operator
   * intervention, system error.
   */
  private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "53", "57", "58");

  /** Read-only (a standby before its promotion), idle timeout, transaction timeout. */
  private static final Set<String> UNAVAILABLE_STATES = Set.of("25006", "25P03", "25P04");

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Bounds the search in a cyclic chain of causes; real chains are shorter. */
  private static final int MAX_CAUSES = 20;

  private DatabaseErrors() {}

  static boolean lostToAnotherTransaction(RuntimeException failure) {
    return sqlException(failure).map(DatabaseErrors::isTransactionConflict).orElse(false);
  }

  /** Whether the failure is the violation of a unique constraint. */
  static boolean isRowInTheWay(RuntimeException failure) {
    return sqlException(failure)
        .map(error -> UNIQUE_VIOLATION.equals(error.getSQLState()))
        .orElse(false);
  }

  /**
   * The exception to throw: one of a port, or the failure itself if it is a bug.
   *
   * @param ifNoReply the effect of the failed call if the server did not reply
   */
  public static RuntimeException translate(RuntimeException failure, Effect ifNoReply) {
    return sqlException(failure)
        .<RuntimeException>map(error -> translate(failure, error, ifNoReply))
        .orElse(failure);
  }

  /** For work that aborts its own transaction, which then has no effect. */
  public static DatabaseUnavailableException unavailable(String why, Throwable cause) {
    return new DatabaseUnavailableException(Effect.NONE, why, cause);
  }

  /** For data that no constraint rejects, but that cannot be recorded by a retry either. */
  public static UnrecordableException unrecordable(String reason) {
    return new UnrecordableException(reason, new IllegalArgumentException(reason));
  }

  private static RuntimeException translate(
      RuntimeException failure, SQLException error, Effect ifNoReply) {
    var state = String.valueOf(error.getSQLState());
    if (LOCK_NOT_AVAILABLE.equals(error.getSQLState())) {
      return new DatabaseLockedException(
          "the database waited too long for a lock: SQLSTATE " + state, failure);
    }
    if (isBusy(error)) {
      return new DatabaseBusyException("no connection to the database was free", failure);
    }
    if (isUnavailable(error) || isTransactionConflict(error)) {
      return new DatabaseUnavailableException(
          hadNoEffect(error) ? Effect.NONE : ifNoReply,
          "the database call failed: SQLSTATE " + state,
          failure);
    }
    if (isOfClass(error, DATA_CLASSES)) {
      return new UnrecordableException(
          "the database rejected the data: SQLSTATE " + state, failure);
    }
    return failure;
  }

  /** HikariCP adds the last failure to connect as the cause, if there was one. */
  private static boolean isBusy(SQLException error) {
    return error instanceof SQLTransientConnectionException && error.getCause() == null;
  }

  /** The transaction was aborted, or the pool had no connection to send the call. */
  private static boolean hadNoEffect(SQLException error) {
    return isTransactionConflict(error) || error instanceof SQLTransientConnectionException;
  }

  private static boolean isTransactionConflict(SQLException error) {
    return isState(error, TRANSACTION_CONFLICTS);
  }

  private static boolean isUnavailable(SQLException error) {
    return isOfClass(error, UNAVAILABLE_CLASSES)
        || isState(error, UNAVAILABLE_STATES)
        // A pool without a free connection reports that by type, sometimes without a state.
        || error instanceof SQLTransientException
        || error instanceof SQLRecoverableException
        || error instanceof SQLNonTransientConnectionException;
  }

  private static boolean isState(SQLException error, Set<String> states) {
    var state = error.getSQLState();
    return state != null && states.contains(state);
  }

  private static boolean isOfClass(SQLException error, Set<String> classes) {
    var state = error.getSQLState();
    return state != null && state.length() == 5 && classes.contains(state.substring(0, 2));
  }

  private static Optional<SQLException> sqlException(RuntimeException failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof SQLException error) {
        return Optional.of(error);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }
}
