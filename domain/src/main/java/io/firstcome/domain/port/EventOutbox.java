package io.firstcome.domain.port;

import java.time.Duration;
import java.util.Optional;

/**
 * Events that are not published yet. The transactions that write user coupons add them, so that no
 * event is missing and there is none for a rolled-back change. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface EventOutbox {

  /**
   * Publishes the oldest events and then deletes them; if publishing fails, they stay and its
   * exception is thrown. After a crash in between they are published again.
   *
   * <p>Only one caller publishes at a time, across all instances, and never two events of one user
   * coupon in one call. So a consumer that deduplicates sees each user coupon's events in the order
   * of their revisions, even if publishing is repeated or overtaken.
   *
   * @param max number of events, unless more than that were recorded together
   * @return how many were published; 0 if there are none or another caller is publishing
   */
  int publishNext(int max, EventPublisher publisher);

  /**
   * How long ago the oldest event that is not published happened, by the clock of the database; not
   * negative. Empty if there is none.
   */
  Optional<Duration> oldestAge();
}
