package io.firstcome.domain.port;

/**
 * The database rejects a batch because of its content, and would reject every retry. Nothing of the
 * batch was written; some of its claims may be valid.
 */
public final class UnrecordableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnrecordableException(String message, Throwable cause) {
    super(message, cause);
  }
}
