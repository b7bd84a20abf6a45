package io.firstcome.application;

import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;

/**
 * Carries accepted claims from the hand-off log to the broker. The log keeps what is carried until
 * it is recorded; what fails here, or gets lost later, is published again by the sweep.
 */
public final class RelayAcceptedClaims {

  private final HandoffLog log;
  private final ClaimPublisher publisher;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;

  public RelayAcceptedClaims(
      HandoffLog log,
      ClaimPublisher publisher,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.log = log;
    this.publisher = publisher;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Publishes what is new in the log, after waiting for it for a bounded time.
   *
   * @return log entries published
   * @throws io.firstcome.domain.port.StockUnavailableException if the log could not be read
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all of it was confirmed
   */
  public int relayNew() {
    var entries = log.readNew(limits.relayBatch(), limits.relayWait());
    if (!entries.isEmpty()) {
      publisher.publish(entries);
      observer.relayed(entries.size(), false);
    }
    return entries.size();
  }

  /**
   * Publishes again what has been published and not recorded for too long.
   *
   * @return log entries published
   * @throws io.firstcome.domain.port.StockUnavailableException if the log could not be read
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all of it was confirmed
   */
  public int relayStale() {
    var entries = log.readStale(limits.staleAfter(), limits.relayBatch());
    if (!entries.isEmpty()) {
      publisher.publish(entries);
      observer.relayed(entries.size(), true);
    }
    return entries.size();
  }
}
