package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/**
 * The broker is not reachable, or did not confirm every message. Unconfirmed messages may still be
 * delivered; a retry is safe.
 */
public final class BrokerUnavailableException extends ServerUnavailableException {

  private static final long serialVersionUID = 1L;

  public BrokerUnavailableException(String message, @Nullable Throwable cause) {
    super(Effect.UNKNOWN, message, cause);
  }
}
