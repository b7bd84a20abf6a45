package io.firstcome.adapter.rabbitmq;

/** Stores messages that the listener cannot decode. */
@FunctionalInterface
interface UnreadableMessages {

  /**
   * Returns when the message is stored durably, so that it may be acknowledged; waits while a
   * server is not reachable.
   *
   * @throws InterruptedException when the listener stops; the message may not be stored
   */
  void keep(byte[] body, String reason) throws InterruptedException;
}
