package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/** The broker did not take all that it was given. What it took may arrive; repeating is safe. */
public final class BrokerUnavailableException extends ServerUnavailableException {

  private static final long serialVersionUID = 1L;

  public BrokerUnavailableException(String message, @Nullable Throwable cause) {
    super(Effect.UNKNOWN, message, cause);
  }
}
