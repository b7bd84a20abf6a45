package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.HandoffEntry;
import java.util.List;

/** What the listener brings claims to. */
@FunctionalInterface
interface ClaimRecorder {

  /**
   * Returns when every claim has come to rest, so that its message is no longer needed; waits while
   * a server is away. Repeating is safe.
   *
   * @throws InterruptedException when the listener stops; the claims have not come to rest
   */
  void record(List<HandoffEntry> entries) throws InterruptedException;
}
