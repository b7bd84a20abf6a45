package io.firstcome.contracts.database;

import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@link EventOutbox} in memory. */
final class InMemoryEventOutbox implements EventOutbox {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;
  private final AtomicBoolean publishing = new AtomicBoolean();

  InMemoryEventOutbox(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public int publishNext(int max, EventPublisher publisher) {
    if (!publishing.compareAndSet(false, true)) {
      return 0;
    }
    try {
      var next = database.transaction(() -> next(max));
      if (!next.isEmpty()) {
        publisher.publish(List.copyOf(next.values()));
        database.transaction(() -> tables.events.keySet().removeAll(next.keySet()));
      }
      return next.size();
    } finally {
      publishing.set(false);
    }
  }

  /** The oldest ones up to the first that tells of a user coupon again. */
  private Map<Long, CouponEvent> next(int max) {
    var next = new LinkedHashMap<Long, CouponEvent>();
    Set<UserCouponId> told = new HashSet<>();
    for (var event : tables.events.entrySet()) {
      boolean again =
          event.getValue() instanceof CouponEvent.OfUserCoupon one
              && !told.add(one.subject().userCouponId());
      if (again || next.size() == max) {
        break;
      }
      next.put(event.getKey(), event.getValue());
    }
    return next;
  }
}
