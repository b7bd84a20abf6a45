package io.firstcome.application;

import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import java.util.List;

/**
 * Carries accepted claims from the hand-off log to the broker. The log keeps what is carried until
 * it is recorded; what fails here, or gets lost later, is published again by the sweep.
 *
 * <p>An instance that cannot publish takes nothing more from the log: what it has read it tries
 * again first, and everything else is left to instances that can.
 */
public final class RelayAcceptedClaims {

  private final HandoffLog log;
  private final ClaimPublisher publisher;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;

  /** Read and not confirmed; empty while publishing works. Only the relaying thread writes it. */
  private volatile List<HandoffEntry> unpublished = List.of();

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
    if (unpublished.isEmpty()) {
      unpublished = log.readNew(limits.relayBatch(), limits.relayWait());
    }
    int entries = unpublished.size();
    if (entries > 0) {
      publisher.publish(unpublished);
      unpublished = List.of();
      observer.relayed(entries, false);
    }
    return entries;
  }

  /**
   * Publishes again what has been published and not recorded for too long; nothing while this
   * instance cannot publish.
   *
   * @return log entries published
   * @throws io.firstcome.domain.port.StockUnavailableException if the log could not be read
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all of it was confirmed
   */
  public int relayStale() {
    if (!unpublished.isEmpty()) {
      return 0;
    }
    var entries = log.readStale(limits.staleAfter(), limits.relayBatch());
    if (!entries.isEmpty()) {
      publisher.publish(entries);
      observer.relayed(entries.size(), true);
    }
    return entries.size();
  }
}
