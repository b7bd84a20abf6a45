package io.firstcome.adapter.persistence;

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
 * Says what a failure of the database means to the ports.
 *
 * <p>It looks for the JDBC driver's or the pool's {@link SQLException} below whatever wraps it: a
 * plain jOOQ, Spring's translation of exceptions and Spring's transactions each wrap it in their
 * own. The messages here name the SQLSTATE alone, since a server's message can hold a user id or a
 * code.
 *
 * @see <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL's error
 *     codes</a>
 */
final class DatabaseErrors {

  /** Serialization failure and deadlock. */
  private static final Set<String> LOST_TO_ANOTHER = Set.of("40001", "40P01");

  private static final String UNIQUE_VIOLATION = "23505";

  /** Data exceptions and violated constraints: the same rows fail again. */
  private static final Set<String> DATA_CLASSES = Set.of("22", "23");

  /**
   * Connection, resources (a full disk, too many sessions), operator's intervention, the system.
   */
  private static final Set<String> AWAY_CLASSES = Set.of("08", "53", "57", "58");

  /** Read-only (a standby before its promotion), idle time-out, transaction time-out. */
  private static final Set<String> AWAY_STATES = Set.of("25006", "25P03", "25P04");

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Wrapping is never this deep; it bounds a chain of causes that is a ring. */
  private static final int MAX_CAUSES = 20;

  private DatabaseErrors() {}

  static boolean lostToAnotherTransaction(RuntimeException failure) {
    return sqlException(failure).map(DatabaseErrors::isLost).orElse(false);
  }

  /** Whether a unique constraint is what the failure is about. */
  static boolean isRowInTheWay(RuntimeException failure) {
    return sqlException(failure)
        .map(error -> UNIQUE_VIOLATION.equals(error.getSQLState()))
        .orElse(false);
  }

  /**
   * The exception to throw: one of a port, or the failure itself where it is a bug.
   *
   * @param ifNotAnswered what is known of the effect of what failed, if the server has not said
   */
  static RuntimeException translate(RuntimeException failure, Effect ifNotAnswered) {
    return sqlException(failure)
        .<RuntimeException>map(error -> translate(failure, error, ifNotAnswered))
        .orElse(failure);
  }

  /** For work that gives itself up within its transaction, which does nothing then. */
  static DatabaseUnavailableException givenUp(String why, Throwable cause) {
    return new DatabaseUnavailableException(Effect.NONE, why, cause);
  }

  /** For what no constraint can say but is as final. */
  static UnrecordableException unrecordable(String reason) {
    return new UnrecordableException(reason, new IllegalArgumentException(reason));
  }

  private static RuntimeException translate(
      RuntimeException failure, SQLException error, Effect ifNotAnswered) {
    var state = String.valueOf(error.getSQLState());
    if (LOCK_NOT_AVAILABLE.equals(error.getSQLState())) {
      return new DatabaseLockedException(
          "the database waited too long for a lock: SQLSTATE " + state, failure);
    }
    if (isAway(error) || isLost(error)) {
      return new DatabaseUnavailableException(
          didNothing(error) ? Effect.NONE : ifNotAnswered,
          "the database did not do it: SQLSTATE " + state,
          failure);
    }
    if (isOfClass(error, DATA_CLASSES)) {
      return new UnrecordableException("the database refuses it: SQLSTATE " + state, failure);
    }
    return failure;
  }

  /** It was broken off as a whole, or the pool had no connection to send it on. */
  private static boolean didNothing(SQLException error) {
    return isLost(error) || error instanceof SQLTransientConnectionException;
  }

  private static boolean isLost(SQLException error) {
    return isState(error, LOST_TO_ANOTHER);
  }

  private static boolean isAway(SQLException error) {
    return isOfClass(error, AWAY_CLASSES)
        || isState(error, AWAY_STATES)
        // A pool that has no connection to give says so by type, at times without a state.
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
