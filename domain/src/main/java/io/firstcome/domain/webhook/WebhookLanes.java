package io.firstcome.domain.webhook;

import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.usercoupon.UserCouponId;

/**
 * The lanes of a webhook. The deliveries of a lane are attempted one after the other, and a failed
 * one is retried before the next. All events of a user coupon are in the same lane, which keeps
 * their order; a delivery that fails again and again holds up one lane and not the others.
 */
public final class WebhookLanes {

  /** The lanes of events. So many deliveries to a webhook can be under way, over all instances. */
  public static final int OF_EVENTS = 16;

  /** A lane of its own: a test does not wait for failed deliveries. */
  public static final int OF_TESTS = OF_EVENTS;

  public static final int ALL = OF_EVENTS + 1;

  private WebhookLanes() {}

  /** The lane of an event. */
  public static int of(CouponEvent event) {
    return switch (event) {
      case CouponEvent.OfUserCoupon one -> of(one.subject().userCouponId());
      case CouponEvent.OfCoupon _ -> of(event.couponId().value());
    };
  }

  /** The lane of all events of a user coupon. */
  public static int of(UserCouponId userCouponId) {
    return of(userCouponId.tag());
  }

  private static int of(String text) {
    return Math.floorMod(text.hashCode(), OF_EVENTS);
  }
}
