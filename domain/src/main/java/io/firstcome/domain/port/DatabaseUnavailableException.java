package io.firstcome.domain.port;

/**
 * The database is not reachable, or may not have executed the call. Every write is safe to retry.
 */
public sealed class DatabaseUnavailableException extends ServerUnavailableException
    permits DatabaseLockedException, DatabaseBusyException {

  private static final long serialVersionUID = 1L;

  public DatabaseUnavailableException(Effect effect, String message, Throwable cause) {
    super(effect, message, cause);
  }
}
