package io.firstcome.client;

/**
 * No final answer came within the time that the caller was willing to wait. The call may have been
 * executed; to repeat it has no second effect.
 */
public final class UnansweredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnansweredException(String message, Throwable lastFailure) {
    super(message, lastFailure);
  }
}
