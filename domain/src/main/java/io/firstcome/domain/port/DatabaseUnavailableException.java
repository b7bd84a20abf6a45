package io.firstcome.domain.port;

/**
 * The database could not be asked, or may not have done what it was asked. Everything written to it
 * is safe to repeat.
 */
public sealed class DatabaseUnavailableException extends ServerUnavailableException
    permits DatabaseLockedException {

  private static final long serialVersionUID = 1L;

  public DatabaseUnavailableException(Effect effect, String message, Throwable cause) {
    super(effect, message, cause);
  }
}
