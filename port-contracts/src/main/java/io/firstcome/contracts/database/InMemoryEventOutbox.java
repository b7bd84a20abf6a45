package io.firstcome.contracts.database;

import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;

/** {@link EventOutbox} in memory. */
final class InMemoryEventOutbox implements EventOutbox {

  private static final long NONE = 0;

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  private final AtomicLong transactions = new AtomicLong();

  /** The number of the transaction that publishes, or {@link #NONE}. */
  private final AtomicLong publishing = new AtomicLong(NONE);

  InMemoryEventOutbox(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public int publishNext(int max, EventPublisher publisher) {
    long transaction = transactions.incrementAndGet();
    if (!publishing.compareAndSet(NONE, transaction)) {
      return 0;
    }
    try {
      var next = database.transaction(() -> next(max, this::mayBePublished));
      if (!next.isEmpty()) {
        publisher.publish(List.copyOf(next.values()));
        database.transaction(() -> delete(next.keySet(), transaction));
      }
      return next.size();
    } finally {
      publishing.compareAndSet(transaction, NONE);
    }
  }

  private boolean mayBePublished(Long number) {
    return tables.handedOver.contains(number) || !tables.isAnyWebhookEnabled();
  }

  @Override
  public int handOverNext(
      int max, boolean arePublished, Function<List<CouponEvent>, List<WebhookMessage>> messages) {
    return database.transaction(() -> {
      if (!tables.isAnyWebhookEnabled()) {
        return 0;
      }
      var waiting = new TreeMap<>(tables.events);
      waiting.keySet().removeAll(tables.handedOver);
      var next = next(waiting, max, _ -> true);
      for (var message : messages.apply(List.copyOf(next.values()))) {
        for (var row : tables.webhooks.values()) {
          if (row.endpoint().isEnabled()) {
            tables.addDelivery(row.endpoint(), message, database.now());
          }
        }
      }
      if (arePublished) {
        tables.handedOver.addAll(next.keySet());
      } else {
        tables.events.keySet().removeAll(next.keySet());
      }
      return next.size();
    });
  }

  @Override
  public Optional<Duration> oldestAge() {
    return database.transaction(() ->
        tables.events.values().stream()
            .findFirst()
            .map(oldest -> Duration.between(oldest.at(), database.now()))
            .map(age -> age.isNegative() ? Duration.ZERO : age));
  }

  private boolean delete(Set<Long> published, long transaction) {
    if (publishing.get() != transaction) {
      throw new DatabaseUnavailableException(
          Effect.NONE, "the transaction was ended", new IllegalStateException("ended"));
    }
    tables.handedOver.removeAll(published);
    return tables.events.keySet().removeAll(published);
  }

  void endPublishing() {
    publishing.set(NONE);
  }

  /** The oldest events, up to the first that is the second one of a user coupon. */
  private Map<Long, CouponEvent> next(int max, Predicate<Long> mayBeNext) {
    return next(tables.events, max, mayBeNext);
  }

  private static Map<Long, CouponEvent> next(
      Map<Long, CouponEvent> events, int max, Predicate<Long> mayBeNext) {
    var next = new LinkedHashMap<Long, CouponEvent>();
    Set<UserCouponId> seen = new HashSet<>();
    for (var event : events.entrySet()) {
      boolean again =
          event.getValue() instanceof CouponEvent.OfUserCoupon one
              && !seen.add(one.subject().userCouponId());
      if (again || next.size() == max || !mayBeNext.test(event.getKey())) {
        break;
      }
      next.put(event.getKey(), event.getValue());
    }
    return next;
  }
}
