package io.firstcome.adapter.rabbitmq;

/** A message is not what its format demands, and never will be. The message quotes no user id. */
final class UndecodableMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String reason;

  UndecodableMessageException(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
