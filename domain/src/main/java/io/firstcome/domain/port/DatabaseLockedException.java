package io.firstcome.domain.port;

/**
 * The database timed out waiting for a lock that another session holds, such as an operator's open
 * transaction. Nothing happened. Work that needs no row of that coupon can continue.
 */
public final class DatabaseLockedException extends DatabaseUnavailableException {

  private static final long serialVersionUID = 1L;

  public DatabaseLockedException(String message, Throwable cause) {
    super(Effect.NONE, message, cause);
  }
}
