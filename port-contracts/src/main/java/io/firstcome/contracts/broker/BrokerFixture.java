package io.firstcome.contracts.broker;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.util.List;

/** A broker under test with empty queues: its ports, and operations on it. */
public interface BrokerFixture {

  ClaimPublisher publisher();

  ClaimQueue queue();

  /**
   * Consumes messages as a recorder does, without acknowledging them.
   *
   * @param count how many entries to wait for, with a timeout; fewer are returned if no more
   *     arrive, and more if entries share a message
   */
  List<HandoffEntry> hold(int count);

  /** Acknowledges all messages that are held. */
  void acknowledgeHeld();

  /** Ends the recorder that holds messages, so that they are requeued. */
  void crashHolder();

  /** Makes claims that are published next unroutable, as after an operator's mistake. */
  void unroute();

  /** Makes the broker unreachable. */
  void disconnect();

  /** Makes the broker reachable again, with all confirmed messages. */
  void reconnect();
}
