package io.firstcome.application.recording;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.HandoffLog;
import java.time.Duration;
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
    var entries = unpublished;
    if (!entries.isEmpty()) {
      publish(entries, false);
      unpublished = List.of();
    }
    return entries.size();
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
      publish(entries, true);
    }
    return entries.size();
  }

  private void publish(List<HandoffEntry> entries, boolean again) {
    long started = System.nanoTime();
    publisher.publish(entries);
    var took = Duration.ofNanos(System.nanoTime() - started);
    observer.observe(new RecordingObservation.EntriesPublished(entries, took, again));
  }
}
