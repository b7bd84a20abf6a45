package io.firstcome.domain.port;

import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
   * <p>While a webhook is enabled, only events that were handed over to it are published.
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

  /**
   * Adds deliveries of the oldest events that were not handed over yet to each enabled webhook, in
   * one transaction. Only one caller does so at a time, across all instances, and never with two
   * events of one user coupon in one call. Without an enabled webhook nothing happens.
   *
   * @param max number of events, unless more than that were recorded together
   * @param arePublished whether the events are published too; otherwise they are deleted
   * @param messages makes the messages of events; it may be called again with the same ones
   * @return how many were handed over
   */
  int handOverNext(
      int max, boolean arePublished, Function<List<CouponEvent>, List<WebhookMessage>> messages);
}
