package io.firstcome.domain.port;

/**
 * The database refuses a batch for what it holds, and will whatever is tried. Nothing of the batch
 * was written; a part of it may be without fault.
 */
public final class UnrecordableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnrecordableException(String message, Throwable cause) {
    super(message, cause);
  }
}
