package io.firstcome.domain.port;

import io.firstcome.domain.handoff.HandoffEntry;
import java.util.List;

/** Publishes accepted claims to the recorders. */
public interface ClaimPublisher {

  /**
   * Publishes the entries and returns only when the broker has confirmed every message and returned
   * none. Entries that are published together may share a message and remain separate entries.
   *
   * @throws BrokerUnavailableException otherwise
   */
  void publish(List<HandoffEntry> entries);
}
