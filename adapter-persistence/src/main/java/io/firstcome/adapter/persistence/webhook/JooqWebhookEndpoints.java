package io.firstcome.adapter.persistence.webhook;

import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_ENDPOINT;
import static io.firstcome.adapter.persistence.generated.Tables.WEBHOOK_LANE;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.generated.tables.records.WebhookEndpointRecord;
import io.firstcome.adapter.persistence.session.Database;
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
import java.util.List;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** {@link WebhookEndpoints} in PostgreSQL. */
public final class JooqWebhookEndpoints implements WebhookEndpoints {

  /** Of those who add a webhook: "fcwh" in ASCII; the second key is 0. */
  private static final int ADDING_LOCK = 0x66637768;

  private final Database database;

  public JooqWebhookEndpoints(Database database) {
    this.database = database;
  }

  /** One at a time, as their number is bounded. */
  @Override
  public Addition add(URI url, WebhookSecret secret, int max, Actor actor, Instant at) {
    return database.transaction(dsl -> {
      dsl.select(DSL.field("pg_advisory_xact_lock({0}, 0)", SQLDataType.OTHER, inline(ADDING_LOCK)))
          .fetch();
      if (dsl.fetchExists(WEBHOOK_ENDPOINT, WEBHOOK_ENDPOINT.URL.eq(url.toString()))) {
        return new Addition.AddressTaken();
      }
      if (dsl.fetchCount(WEBHOOK_ENDPOINT) >= max) {
        return new Addition.TooMany();
      }
      var now = at.truncatedTo(ChronoUnit.MILLIS);
      var added =
          WebhookRows.endpoint(
              dsl.insertInto(WEBHOOK_ENDPOINT)
                  .set(WEBHOOK_ENDPOINT.URL, url.toString())
                  .set(WEBHOOK_ENDPOINT.STATE, WebhookEndpoint.State.ENABLED.name())
                  .set(WEBHOOK_ENDPOINT.SECRET, secret.text())
                  .set(WEBHOOK_ENDPOINT.REVISION, 1)
                  .set(WEBHOOK_ENDPOINT.CREATED_AT, now)
                  .set(WEBHOOK_ENDPOINT.CHANGED_AT, now)
                  .returning()
                  .fetchSingle());
      addLanes(dsl, added.id());
      AuditRows.add(dsl, List.of(AuditEntry.ofWebhook(added, actor, at)));
      return new Addition.Added(added);
    });
  }

  private static void addLanes(DSLContext dsl, WebhookId id) {
    var lanes = table("generate_series(0, {0})", inline(WebhookLanes.ALL - 1)).as("lanes", "lane");
    dsl.insertInto(WEBHOOK_LANE, WEBHOOK_LANE.WEBHOOK_ID, WEBHOOK_LANE.LANE, WEBHOOK_LANE.DUE_AT)
        .select(
            select(
                    DSL.val(id.number()),
                    DSL.field(DSL.name("lanes", "lane"), SQLDataType.INTEGER),
                    WebhookRows.NOW)
                .from(lanes))
        .execute();
  }

  @Override
  public List<WebhookEndpoint> all() {
    return database.read(dsl ->
        dsl.selectFrom(WEBHOOK_ENDPOINT)
            .orderBy(WEBHOOK_ENDPOINT.WEBHOOK_ID)
            .fetch(WebhookRows::endpoint));
  }

  @Override
  public Optional<WebhookEndpoint> find(WebhookId id) {
    return database.read(dsl ->
        dsl.selectFrom(WEBHOOK_ENDPOINT)
            .where(WEBHOOK_ENDPOINT.WEBHOOK_ID.eq(id.number()))
            .fetchOptional(WebhookRows::endpoint));
  }

  @Override
  public Change change(WebhookEndpoint before, WebhookEndpoint after, Actor actor) {
    return database.transaction(
        dsl -> changeNow(dsl, before, after, actor), _ -> Change.ADDRESS_TAKEN);
  }

  private static Change changeNow(
      DSLContext dsl, WebhookEndpoint before, WebhookEndpoint after, Actor actor) {
    var row = new WebhookEndpointRecord();
    row.setUrl(after.url().toString());
    row.setState(after.state().name());
    row.setSecret(after.secret().text());
    var previous = after.previous();
    row.setPreviousSecret(previous == null ? null : previous.secret().text());
    row.setPreviousSecretUntil(previous == null ? null : previous.until());
    row.setRevision(after.revision());
    row.setChangedAt(after.changedAt());
    if (after.failingSince() == null) {
      row.setFailingSince(null);
    }
    int changed = dsl.update(WEBHOOK_ENDPOINT).set(row).where(isAsRead(before)).execute();
    if (changed != 1) {
      return Change.OVERTAKEN;
    }
    if (!after.url().equals(before.url()) || (after.isEnabled() && !before.isEnabled())) {
      dsl.update(WEBHOOK_LANE)
          .set(WEBHOOK_LANE.DUE_AT, WebhookRows.NOW)
          .where(WEBHOOK_LANE.WEBHOOK_ID.eq(after.id().number()))
          .and(WEBHOOK_LANE.DUE_AT.gt(WebhookRows.NOW))
          .execute();
    }
    AuditRows.add(dsl, List.of(AuditEntry.of(before, after, actor)));
    return Change.CHANGED;
  }

  @Override
  public boolean delete(WebhookEndpoint before, Actor actor, Instant at) {
    return database.transaction(dsl -> {
      int deleted = dsl.deleteFrom(WEBHOOK_ENDPOINT).where(isAsRead(before)).execute();
      if (deleted != 1) {
        return false;
      }
      AuditRows.add(dsl, List.of(AuditEntry.ofDeletion(before, actor, at)));
      return true;
    });
  }

  private static Condition isAsRead(WebhookEndpoint before) {
    return WEBHOOK_ENDPOINT
        .WEBHOOK_ID
        .eq(before.id().number())
        .and(WEBHOOK_ENDPOINT.REVISION.eq(before.revision()));
  }
}
