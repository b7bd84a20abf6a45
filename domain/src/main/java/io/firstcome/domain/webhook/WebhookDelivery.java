package io.firstcome.domain.webhook;

import io.firstcome.domain.coupon.CouponId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of a message to a webhook, as in the log.
 *
 * @param type of its events
 * @param couponId of its events, or null if it is a test
 * @param events how many it has
 * @param attempts how many were made
 * @param latest the latest attempt, or null before the first one
 */
public record WebhookDelivery(
    DeliveryId id,
    WebhookId webhookId,
    String type,
    @Nullable CouponId couponId,
    int events,
    Instant createdAt,
    State state,
    int attempts,
    @Nullable Attempt latest) {

  /** How far it is. */
  public enum State {
    /** It is attempted until it succeeds or is given up. */
    PENDING,
    /** The receiver has answered with a status of 200 to 299. */
    DELIVERED,
    /** Too many attempts have failed. An operator can have it attempted again. */
    GIVEN_UP
  }

  /**
   * An attempt that was made.
   *
   * @param result the status of the answer, or why there was none
   */
  public record Attempt(Instant at, String result) {}
}
