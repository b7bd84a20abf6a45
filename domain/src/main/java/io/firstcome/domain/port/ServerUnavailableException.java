package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/** One of the servers that the service stands on did not do what it was asked. */
public abstract class ServerUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  protected ServerUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
