package io.firstcome.domain.port;

import io.firstcome.domain.issuance.HandoffEntry;
import java.util.List;

/** Carries accepted claims to the recorders. */
public interface ClaimPublisher {

  /**
   * Publishes the entries and returns only when the broker has confirmed every message and returned
   * none. Entries that are published together may share messages; each is still an entry of its
   * own.
   *
   * @throws BrokerUnavailableException otherwise
   */
  void publish(List<HandoffEntry> entries);
}
