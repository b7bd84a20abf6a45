package io.firstcome.adapter.rabbitmq;

/**
 * A claim message does not conform to its format, so a retry fails too. The message of the
 * exception quotes no user id.
 */
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
