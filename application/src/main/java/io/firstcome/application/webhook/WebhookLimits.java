package io.firstcome.application.webhook;

import java.time.Duration;

/**
 * The limits of webhooks.
 *
 * @param endpoints how many there may be
 * @param batch events that are handed over in a transaction
 * @param eventsPerDelivery a message of this many has about 40 KB
 * @param inFlight requests to one webhook that an instance has under way; each has a thread
 * @param connectTime for a connection, without the look-up of the name
 * @param requestTime for a whole request
 * @param lease how long a lane waits for an instance that was lost; longer than a request
 * @param attempts after this many, which take about a day, a delivery is given up
 * @param firstPause after a failed attempt; each further one makes it four times as long
 * @param longestPause between two attempts, also if the receiver wants a longer one
 * @param failingDays after so many days without a successful delivery a webhook is disabled
 * @param loggedDays after so many days a delivery is removed, whatever its state is
 * @param secretOverlap how long a secret is used after its rotation
 */
public record WebhookLimits(
    int endpoints,
    int batch,
    int eventsPerDelivery,
    int inFlight,
    Duration connectTime,
    Duration requestTime,
    Duration lease,
    int attempts,
    Duration firstPause,
    Duration longestPause,
    int failingDays,
    int loggedDays,
    Duration secretOverlap) {

  public WebhookLimits {
    if (lease.compareTo(connectTime.plus(requestTime)) <= 0) {
      throw new IllegalArgumentException(
          "lease must be longer than connect-time and request-time together: " + lease);
    }
  }

  /** The values for production. */
  public static WebhookLimits defaults() {
    return new WebhookLimits(
        20,
        500,
        100,
        4,
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        12,
        Duration.ofSeconds(5),
        Duration.ofHours(4),
        3,
        7,
        Duration.ofHours(24));
  }
}
