package io.firstcome.contracts.broker;

import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.util.List;

/** A broker under test with empty queues, its ports, and what a test must do to it. */
public interface BrokerFixture {

  ClaimPublisher publisher();

  ClaimQueue queue();

  /**
   * Takes messages as a recorder does and holds them unacknowledged.
   *
   * @param count how many entries to wait for, within a bound; fewer are returned where no more
   *     come, and more where they share a message
   */
  List<HandoffEntry> hold(int count);

  /** Acknowledges all messages that are held. */
  void acknowledgeHeld();

  /** Ends the recorder that holds messages, so that they wait again. */
  void crashHolder();

  /**
   * Takes care that no queue takes a claim that is published next, as an operator's mistake does.
   */
  void unroute();

  /** Makes the broker unreachable. */
  void goAway();

  /** Makes the broker reachable again, with all that it had confirmed. */
  void comeBack();
}
