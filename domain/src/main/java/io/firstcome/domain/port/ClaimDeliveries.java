package io.firstcome.domain.port;

/** The delivery of accepted claims from the broker to the recorders of this instance. */
public interface ClaimDeliveries {

  /**
   * Starts the deliveries again if messages were waiting at this call and at the one before, and
   * none was delivered to this instance between them. Messages that are delivered and not yet
   * acknowledged are delivered again.
   *
   * @throws BrokerUnavailableException if the broker is not reachable
   */
  void resumeIfStalled();
}
