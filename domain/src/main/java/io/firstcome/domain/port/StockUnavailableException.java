package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/** The stock backend did not execute a call, or may not have executed it. */
public class StockUnavailableException extends ServerUnavailableException {

  private static final long serialVersionUID = 1L;

  public StockUnavailableException(Effect effect, String message, @Nullable Throwable cause) {
    super(effect, message, cause);
  }
}
