package io.firstcome.domain.port;

/**
 * All connections to the database that this kind of caller may use were in use for too long. The
 * database is reachable; nothing happened.
 */
public final class DatabaseBusyException extends DatabaseUnavailableException {

  private static final long serialVersionUID = 1L;

  public DatabaseBusyException(String message, Throwable cause) {
    super(Effect.NONE, message, cause);
  }
}
