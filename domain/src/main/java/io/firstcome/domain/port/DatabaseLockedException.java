package io.firstcome.domain.port;

/**
 * The database gave up waiting for a lock that somebody else holds, such as an operator with a
 * transaction open. Nothing happened. What needs no row of that coupon can go on.
 */
public final class DatabaseLockedException extends DatabaseUnavailableException {

  private static final long serialVersionUID = 1L;

  public DatabaseLockedException(String message, Throwable cause) {
    super(Effect.NONE, message, cause);
  }
}
