package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookLanes;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link WebhookEndpoints} in memory. */
final class InMemoryWebhookEndpoints implements WebhookEndpoints {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryWebhookEndpoints(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /** A lane: until when it rests, the number of its lease, and until when it is taken, or null. */
  record Lane(Instant dueAt, long lease, @Nullable Instant leasedUntil) {}

  /** A webhook with its lanes. */
  record Row(WebhookEndpoint endpoint, List<Lane> lanes) {

    Row with(WebhookEndpoint other) {
      return new Row(other, lanes);
    }

    Row with(int number, Lane lane) {
      var changed = new ArrayList<>(lanes);
      changed.set(number, lane);
      return new Row(endpoint, List.copyOf(changed));
    }

    Row dueAt(Instant at) {
      return new Row(
          endpoint,
          lanes.stream()
              .map(lane ->
                  lane.dueAt().isAfter(at) ? new Lane(at, lane.lease(), lane.leasedUntil()) : lane)
              .toList());
    }
  }

  @Override
  public Addition add(URI url, WebhookSecret secret, int max, Actor actor, Instant at) {
    return database.transaction(() -> {
      if (isTaken(url, null)) {
        return new Addition.AddressTaken();
      }
      if (tables.webhooks.size() >= max) {
        return new Addition.TooMany();
      }
      var now = at.truncatedTo(ChronoUnit.MILLIS);
      var added =
          new WebhookEndpoint(
              new WebhookId(++tables.lastWebhook),
              url,
              WebhookEndpoint.State.ENABLED,
              secret,
              null,
              1,
              now,
              now,
              null);
      var lane = new Lane(database.now(), 0, null);
      var lanes = Stream.generate(() -> lane).limit(WebhookLanes.ALL).toList();
      tables.webhooks.put(added.id(), new Row(added, lanes));
      tables.addToAudit(AuditEntry.ofWebhook(added, actor, at));
      return new Addition.Added(added);
    });
  }

  private boolean isTaken(URI url, @Nullable WebhookId by) {
    return tables.webhooks.values().stream()
        .map(Row::endpoint)
        .anyMatch(endpoint -> endpoint.url().equals(url) && !endpoint.id().equals(by));
  }

  @Override
  public List<WebhookEndpoint> all() {
    return database.transaction(
        () -> tables.webhooks.values().stream().map(Row::endpoint).toList());
  }

  @Override
  public Optional<WebhookEndpoint> find(WebhookId id) {
    return database.transaction(
        () -> Optional.ofNullable(tables.webhooks.get(id)).map(Row::endpoint));
  }

  @Override
  public Change change(WebhookEndpoint before, WebhookEndpoint after, Actor actor) {
    return database.transaction(() -> {
      var row = tables.webhooks.get(before.id());
      if (row == null || row.endpoint().revision() != before.revision()) {
        return Change.OVERTAKEN;
      }
      if (isTaken(after.url(), after.id())) {
        return Change.ADDRESS_TAKEN;
      }
      boolean isDue =
          !after.url().equals(before.url()) || (after.isEnabled() && !before.isEnabled());
      var changed = row.with(stored(after, row.endpoint()));
      tables.webhooks.put(after.id(), isDue ? changed.dueAt(database.now()) : changed);
      tables.addToAudit(AuditEntry.of(before, after, actor));
      return Change.CHANGED;
    });
  }

  /** What failed since it was read is not lost. */
  private static WebhookEndpoint stored(WebhookEndpoint after, WebhookEndpoint now) {
    return after.failingSince() == null
        ? after
        : InMemoryWebhookDeliveries.failingSince(after, now.failingSince());
  }

  @Override
  public boolean delete(WebhookEndpoint before, Actor actor, Instant at) {
    return database.transaction(() -> {
      var row = tables.webhooks.get(before.id());
      if (row == null || row.endpoint().revision() != before.revision()) {
        return false;
      }
      tables.webhooks.remove(before.id());
      tables.addToAudit(AuditEntry.ofDeletion(before, actor, at));
      return true;
    });
  }
}
