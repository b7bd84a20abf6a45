package io.firstcome.application.recording;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.HandoffLog;
import java.util.List;

/**
 * Publishes accepted claims from the hand-off log to the broker. An entry stays in the log until it
 * is recorded; the sweep publishes it again if publishing fails or the message is lost.
 *
 * <p>An instance that cannot publish reads no more entries: it retries those it has read first, and
 * leaves all others to instances that can publish.
 */
public final class RelayAcceptedClaims {

  private final HandoffLog log;
  private final ClaimPublisher publisher;
  private final RecordingLimits limits;
  private final IssuanceObserver observer;

  /**
   * Entries that are read and not confirmed; empty while publishing works. Only the relaying thread
   * writes it.
   */
  private volatile List<HandoffEntry> unpublished = List.of();

  public RelayAcceptedClaims(
      HandoffLog log, ClaimPublisher publisher, RecordingLimits limits, IssuanceObserver observer) {
    this.log = log;
    this.publisher = publisher;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Publishes new entries of the log, after waiting for them for a bounded time.
   *
   * @return log entries published
   * @throws io.firstcome.domain.port.StockUnavailableException if the log could not be read
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all entries were confirmed
   */
  public int relayNew() {
    if (unpublished.isEmpty()) {
      unpublished = log.readNew(limits.relayBatch(), limits.relayWait());
    }
    int entries = unpublished.size();
    if (entries > 0) {
      publisher.publish(unpublished);
      unpublished = List.of();
      observer.observe(new RecordingObservation.EntriesPublished(entries, false));
    }
    return entries;
  }

  /**
   * Publishes entries again that were published and not recorded for too long; none while this
   * instance cannot publish.
   *
   * @return log entries published
   * @throws io.firstcome.domain.port.StockUnavailableException if the log could not be read
   * @throws io.firstcome.domain.port.BrokerUnavailableException if not all entries were confirmed
   */
  public int relayStale() {
    if (!unpublished.isEmpty()) {
      return 0;
    }
    var entries = log.readStale(limits.staleAfter(), limits.relayBatch());
    if (!entries.isEmpty()) {
      publisher.publish(entries);
      observer.observe(new RecordingObservation.EntriesPublished(entries.size(), true));
    }
    return entries.size();
  }
}
