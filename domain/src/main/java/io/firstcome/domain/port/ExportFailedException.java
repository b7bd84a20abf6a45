package io.firstcome.domain.port;

/** Rows could not be exported; a part of them may be. A retry is safe. */
public final class ExportFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ExportFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
