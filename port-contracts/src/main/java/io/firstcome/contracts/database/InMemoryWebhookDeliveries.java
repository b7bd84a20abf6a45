package io.firstcome.contracts.database;

import io.firstcome.contracts.database.InMemoryWebhookEndpoints.Lane;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.firstcome.domain.webhook.DueDelivery;
import io.firstcome.domain.webhook.TakenLane;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link WebhookDeliveries} in memory. */
final class InMemoryWebhookDeliveries implements WebhookDeliveries {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryWebhookDeliveries(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /** A delivery with its lane, and its body until it is delivered. */
  record Row(WebhookDelivery delivery, int lane, @Nullable String body) {

    static Row added(DeliveryId id, WebhookId webhookId, WebhookMessage message, Instant at) {
      return new Row(
          new WebhookDelivery(
              id,
              webhookId,
              message.type(),
              message.couponId(),
              message.events(),
              at,
              WebhookDelivery.State.PENDING,
              0,
              null),
          message.lane(),
          message.body());
    }

    boolean isPending() {
      return delivery.state() == WebhookDelivery.State.PENDING;
    }

    boolean isPendingIn(WebhookId webhookId, int number) {
      return isPending() && lane == number && delivery.webhookId().equals(webhookId);
    }

    Row in(WebhookDelivery.State state, int attempts, WebhookDelivery.@Nullable Attempt latest) {
      return new Row(
          new WebhookDelivery(
              delivery.id(),
              delivery.webhookId(),
              delivery.type(),
              delivery.couponId(),
              delivery.events(),
              delivery.createdAt(),
              state,
              attempts,
              latest),
          lane,
          state == WebhookDelivery.State.DELIVERED ? null : body);
    }
  }

  /** Whether a delivery that is not made yet names the user coupon. */
  static boolean isNamed(InMemoryTables tables, UserCoupon userCoupon) {
    return tables.deliveries.values().stream()
        .anyMatch(row -> row.body() != null && row.body().contains(userCoupon.id().toString()));
  }

  static WebhookEndpoint failingSince(WebhookEndpoint endpoint, @Nullable Instant since) {
    return new WebhookEndpoint(
        endpoint.id(),
        endpoint.url(),
        endpoint.state(),
        endpoint.secret(),
        endpoint.previous(),
        endpoint.revision(),
        endpoint.createdAt(),
        endpoint.changedAt(),
        since);
  }

  @Override
  public List<WebhookId> due() {
    return database.transaction(() ->
        tables.webhooks.keySet().stream().filter(id -> free(id).findAny().isPresent()).toList());
  }

  /** The numbers of the lanes that can be taken. */
  private Stream<Integer> free(WebhookId id) {
    var row = tables.webhooks.get(id);
    if (row == null || !row.endpoint().isEnabled()) {
      return Stream.empty();
    }
    var now = database.now();
    return IntStream.range(0, row.lanes().size())
        .filter(number -> {
          var lane = row.lanes().get(number);
          var until = lane.leasedUntil();
          return !lane.dueAt().isAfter(now) && (until == null || !until.isAfter(now));
        })
        .filter(number -> oldest(id, number).isPresent())
        .boxed()
        .sorted(Comparator.comparing(number -> row.lanes().get(number).dueAt()));
  }

  private Optional<Row> oldest(WebhookId id, int lane) {
    return tables.deliveries.values().stream().filter(row -> row.isPendingIn(id, lane)).findFirst();
  }

  @Override
  public List<TakenLane> take(WebhookId id, int max, Duration lease) {
    return database.transaction(() ->
        free(id).limit(max).toList().stream().map(number -> leased(id, number, lease)).toList());
  }

  private TakenLane leased(WebhookId id, int number, Duration lease) {
    var row = Objects.requireNonNull(tables.webhooks.get(id));
    var lane = row.lanes().get(number);
    var taken = new Lane(lane.dueAt(), lane.lease() + 1, database.now().plus(lease));
    tables.webhooks.put(id, row.with(number, taken));
    return new TakenLane(id, number, taken.lease());
  }

  private boolean isHeld(TakenLane lane) {
    var row = tables.webhooks.get(lane.webhookId());
    if (row == null) {
      return false;
    }
    var now = row.lanes().get(lane.lane());
    return now.lease() == lane.lease() && now.leasedUntil() != null;
  }

  private void set(TakenLane lane, Instant dueAt, @Nullable Instant leasedUntil) {
    tables.webhooks.computeIfPresent(
        lane.webhookId(),
        (_, row) -> row.with(lane.lane(), new Lane(dueAt, lane.lease(), leasedUntil)));
  }

  @Override
  public Optional<DueDelivery> next(TakenLane lane, Duration lease) {
    return database.transaction(() -> {
      if (!isHeld(lane)) {
        return Optional.empty();
      }
      var endpoint = Objects.requireNonNull(tables.webhooks.get(lane.webhookId())).endpoint();
      var next =
          endpoint.isEnabled() ? oldest(lane.webhookId(), lane.lane()) : Optional.<Row>empty();
      var now = database.now();
      set(lane, now, next.isPresent() ? now.plus(lease) : null);
      return next.map(row ->
          new DueDelivery(
              row.delivery().id(),
              endpoint,
              row.delivery().createdAt(),
              row.delivery().attempts(),
              Objects.requireNonNull(row.body())));
    });
  }

  @Override
  public boolean note(TakenLane lane, DeliveryId id, DeliveryOutcome outcome) {
    return database.transaction(() -> {
      var row = tables.deliveries.get(id);
      if (!isHeld(lane) || row == null || !row.isPending()) {
        return false;
      }
      var now = database.now();
      var state =
          switch (outcome) {
            case DeliveryOutcome.Delivered _ -> WebhookDelivery.State.DELIVERED;
            case DeliveryOutcome.GivenUp _ -> WebhookDelivery.State.GIVEN_UP;
            case DeliveryOutcome.Failed(var _, var pause) -> {
              set(lane, now.plus(pause), null);
              yield WebhookDelivery.State.PENDING;
            }
          };
      tables.deliveries.put(
          id,
          row.in(
              state,
              row.delivery().attempts() + 1,
              new WebhookDelivery.Attempt(now, outcome.result())));
      noteHealth(lane.webhookId(), state == WebhookDelivery.State.DELIVERED, now);
      return true;
    });
  }

  private void noteHealth(WebhookId id, boolean isDelivered, Instant now) {
    tables.webhooks.computeIfPresent(
        id,
        (_, row) -> {
          var since = row.endpoint().failingSince();
          var other = isDelivered ? null : since == null ? now : since;
          return row.with(failingSince(row.endpoint(), other));
        });
  }

  @Override
  public void release(TakenLane lane) {
    database.transaction(() -> {
      if (isHeld(lane)) {
        set(lane, database.now(), null);
      }
      return true;
    });
  }

  @Override
  public Optional<DeliveryId> add(WebhookId id, WebhookMessage message) {
    return database.transaction(() ->
        Optional.ofNullable(tables.webhooks.get(id))
            .map(row -> tables.addDelivery(row.endpoint(), message, database.now())));
  }

  @Override
  public int pending(WebhookId id, int max) {
    return database.transaction(() -> {
      long all =
          tables.deliveries.values().stream()
              .filter(row -> row.isPending() && row.delivery().webhookId().equals(id))
              .count();
      return Math.toIntExact(Math.min(all, max));
    });
  }

  @Override
  public List<WebhookDelivery> page(
      WebhookId id, WebhookDelivery.@Nullable State state, @Nullable DeliveryId before, int max) {
    return database.transaction(() ->
        tables.deliveries.descendingMap().values().stream()
            .map(Row::delivery)
            .filter(delivery -> delivery.webhookId().equals(id))
            .filter(delivery -> state == null || delivery.state() == state)
            .filter(delivery -> before == null || delivery.id().compareTo(before) < 0)
            .limit(max)
            .toList());
  }

  @Override
  public boolean replay(WebhookId id, DeliveryId deliveryId, Actor actor, Instant at) {
    return database.transaction(() -> {
      var row = tables.deliveries.get(deliveryId);
      if (row == null
          || !row.delivery().webhookId().equals(id)
          || row.delivery().state() != WebhookDelivery.State.GIVEN_UP) {
        return false;
      }
      tables.deliveries.put(
          deliveryId, row.in(WebhookDelivery.State.PENDING, 0, row.delivery().latest()));
      tables.webhooks.computeIfPresent(
          id,
          (_, webhook) -> {
            var lane = webhook.lanes().get(row.lane());
            return webhook.with(
                row.lane(), new Lane(database.now(), lane.lease(), lane.leasedUntil()));
          });
      tables.addToAudit(AuditEntry.ofReplay(id, deliveryId, actor, at));
      return true;
    });
  }

  @Override
  public int forget(Duration age, int max) {
    return database.transaction(() -> {
      var end = database.now().minus(age);
      return remove(
          tables.deliveries.values().stream()
              .limit(max)
              .filter(row -> !row.delivery().createdAt().isAfter(end)));
    });
  }

  @Override
  public int removeOf(WebhookId id, int max) {
    return database.transaction(() ->
        remove(
            tables.deliveries.values().stream()
                .filter(row -> row.delivery().webhookId().equals(id))
                .limit(max)));
  }

  private int remove(Stream<Row> rows) {
    var ids = rows.map(row -> row.delivery().id()).toList();
    ids.forEach(tables.deliveries::remove);
    return ids.size();
  }
}
