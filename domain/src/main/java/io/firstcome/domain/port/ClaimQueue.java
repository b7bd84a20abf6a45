package io.firstcome.domain.port;

/** The queue between relay and recorders, seen from outside. */
public interface ClaimQueue {

  /**
   * Messages that wait for a recorder; those that a recorder holds do not count.
   *
   * @throws BrokerUnavailableException if the broker could not be asked
   */
  long waiting();
}
