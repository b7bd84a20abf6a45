package io.firstcome.domain.port;

import io.firstcome.domain.issuance.HandoffEntry;
import java.util.List;

/** Carries accepted claims to the recorders. */
public interface ClaimPublisher {

  /**
   * Publishes one message for each entry and returns only when the broker has confirmed every one
   * and returned none.
   *
   * @throws BrokerUnavailableException otherwise
   */
  void publish(List<HandoffEntry> entries);
}
