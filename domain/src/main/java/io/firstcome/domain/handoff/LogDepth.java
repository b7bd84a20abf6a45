package io.firstcome.domain.handoff;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The depth of a partition's hand-off log. Both times are by the stock backend's clock, so that an
 * age does not depend on the caller's clock.
 *
 * @param entries not yet recorded, one for each batch of claims
 * @param oldest when the oldest of them was accepted, or null if there is none
 * @param asOf when the log was read
 */
public record LogDepth(long entries, @Nullable Instant oldest, Instant asOf) {

  /** How long the oldest entry has been waiting; zero if there is none. */
  public Duration oldestAge() {
    return oldest == null || oldest.isAfter(asOf) ? Duration.ZERO : Duration.between(oldest, asOf);
  }
}
