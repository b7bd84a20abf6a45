package io.firstcome.domain.port;

/** Looks whether the broker does its work, for operators. Nothing is decided by it. */
public interface BrokerCheck {

  /**
   * The queue of accepted claims.
   *
   * @param waiting messages that are ready for delivery
   * @param recorders that receive messages, of all instances
   */
  record Queue(long waiting, int recorders) {}

  /**
   * Publishes a message that nobody receives, and reads the state of the queue.
   *
   * @throws BrokerUnavailableException if the broker is not reachable, or did not confirm the
   *     message, as while it has an alarm
   */
  Queue check();
}
