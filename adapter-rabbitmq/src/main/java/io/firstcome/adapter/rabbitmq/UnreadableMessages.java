package io.firstcome.adapter.rabbitmq;

/** What the listener brings messages to that cannot be decoded. */
@FunctionalInterface
interface UnreadableMessages {

  /**
   * Returns when the message is kept durably, so that it may be acknowledged; waits while a server
   * is away.
   *
   * @throws InterruptedException when the listener stops; the message may not be kept
   */
  void keep(byte[] body, String reason) throws InterruptedException;
}
