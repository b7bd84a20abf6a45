package io.firstcome.domain.webhook;

import io.firstcome.domain.coupon.CouponId;
import org.jspecify.annotations.Nullable;

/**
 * A message that is to be delivered.
 *
 * @param type of its events, such as {@code user-coupon.issued}
 * @param couponId of its events, or null if it is a test
 * @param events how many it has
 * @param body the events as JSON
 */
public record WebhookMessage(
    int lane, String type, @Nullable CouponId couponId, int events, String body) {

  public WebhookMessage {
    if (lane < 0 || lane >= WebhookLanes.ALL) {
      throw new IllegalArgumentException("there is no such lane: " + lane);
    }
  }
}
