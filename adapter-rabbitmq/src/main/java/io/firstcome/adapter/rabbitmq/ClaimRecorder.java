package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.handoff.HandoffEntry;
import java.util.List;

/** Records the claims that the listener passes to it. */
@FunctionalInterface
interface ClaimRecorder {

  /**
   * Returns when every claim has reached a terminal state, so that its message is no longer needed;
   * waits while a server is not reachable. Idempotent.
   *
   * @throws InterruptedException when the listener stops; not every claim has reached a terminal
   *     state
   */
  void record(List<HandoffEntry> entries) throws InterruptedException;
}
