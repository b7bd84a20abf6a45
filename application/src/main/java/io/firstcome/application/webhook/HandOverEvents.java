package io.firstcome.application.webhook;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventFormat;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.webhook.WebhookLanes;
import io.firstcome.domain.webhook.WebhookMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Turns the events of the outbox into messages for webhooks. Events of one type, coupon and lane
 * share messages, as there are as many events as claims. Events of rehearsals have none.
 */
public final class HandOverEvents {

  private final EventOutbox outbox;
  private final EventFormat format;
  private final boolean arePublished;
  private final WebhookLimits limits;

  /**
   * @param arePublished whether the deployment has a broker, to which the events are published too
   */
  public HandOverEvents(
      EventOutbox outbox, EventFormat format, boolean arePublished, WebhookLimits limits) {
    this.outbox = outbox;
    this.format = format;
    this.arePublished = arePublished;
    this.limits = limits;
  }

  /**
   * Hands over the oldest events.
   *
   * @return how many; 0 if there are none, or no webhook is enabled
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public int handOverNext() {
    return outbox.handOverNext(limits.batch(), arePublished, this::messages);
  }

  private record Key(int lane, String type, CouponId couponId) {}

  private List<WebhookMessage> messages(List<CouponEvent> events) {
    var byKey =
        events.stream()
            .filter(event -> !event.couponId().isOfRehearsal())
            .collect(groupingBy(this::key, LinkedHashMap::new, toList()));
    var messages = new ArrayList<WebhookMessage>();
    byKey.forEach((key, all) -> {
      for (int from = 0; from < all.size(); from += limits.eventsPerDelivery()) {
        var some = all.subList(from, Math.min(all.size(), from + limits.eventsPerDelivery()));
        messages.add(
            new WebhookMessage(
                key.lane(), key.type(), key.couponId(), some.size(), format.text(some)));
      }
    });
    return messages;
  }

  private Key key(CouponEvent event) {
    return new Key(WebhookLanes.of(event), format.type(event), event.couponId());
  }
}
