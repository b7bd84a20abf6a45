package io.firstcome.adapter.rabbitmq;

import org.jspecify.annotations.Nullable;

/** A message is not what its format demands, and never will be. The message quotes no user id. */
final class UndecodableMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  UndecodableMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
