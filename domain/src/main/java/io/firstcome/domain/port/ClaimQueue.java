package io.firstcome.domain.port;

/** The depth of the queue between relay and recorders. */
public interface ClaimQueue {

  /**
   * Messages that are ready for delivery; unacknowledged ones are not counted.
   *
   * @throws BrokerUnavailableException if the broker is not reachable
   */
  long waiting();
}
