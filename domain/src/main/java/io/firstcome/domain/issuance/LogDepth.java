package io.firstcome.domain.issuance;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much a partition's hand-off log holds. Both times are of the stock backend's clock, so that
 * an age does not depend on the clock of who asks.
 *
 * @param entries not yet recorded, one for each batch of claims
 * @param oldest when the oldest of them was accepted, or null where there is none
 * @param asOf when the log was looked at
 */
public record LogDepth(long entries, @Nullable Instant oldest, Instant asOf) {

  /** How long the oldest entry has been waiting; zero where there is none. */
  public Duration oldestAge() {
    return oldest == null || oldest.isAfter(asOf) ? Duration.ZERO : Duration.between(oldest, asOf);
  }
}
