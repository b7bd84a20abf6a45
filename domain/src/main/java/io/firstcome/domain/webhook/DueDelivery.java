package io.firstcome.domain.webhook;

import java.time.Instant;

/**
 * The next delivery of a lane.
 *
 * @param endpoint as it is now
 * @param addedAt by the clock of the database
 * @param attempts how many were made
 * @param body of the message
 */
public record DueDelivery(
    DeliveryId id, WebhookEndpoint endpoint, Instant addedAt, int attempts, String body) {

  /**
   * The header {@code webhook-id}: the same in each attempt. It has the time, since a database that
   * was restored from a backup gives the numbers since then again.
   */
  public String messageId() {
    return "msg_%d_%d".formatted(id.number(), addedAt.toEpochMilli());
  }
}
