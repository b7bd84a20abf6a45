package io.firstcome.adapter.persistence.webhook;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.WebhookDeliveriesContract;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.webhook.WebhookMessage;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** {@link JooqWebhookDeliveries} against its contract. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqWebhookDeliveriesIT extends WebhookDeliveriesContract {

  private final TestDatabase database = new TestDatabase(JooqWebhookDeliveriesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @Test
  void a_webhook_that_is_deleted_while_it_gets_deliveries_leaves_none() {
    var ports = database.ports();
    var addition =
        ports
            .webhooks()
            .add(
                URI.create("https://hooks.example/a"),
                WebhookSecret.of(new byte[WebhookSecret.BYTES]),
                10,
                OPERATOR,
                ACCEPTED_AT);
    var webhook = ((WebhookEndpoints.Addition.Added) addition).endpoint();
    var message = new WebhookMessage(0, "user-coupon.used", new CouponId("WELCOME"), 1, "[]");

    var deleted = new AtomicReference<CompletableFuture<Boolean>>();
    database
        .dsl()
        .transaction(transaction -> {
          WebhookRows.add(transaction.dsl(), List.of(message));
          deleted.set(
              CompletableFuture.supplyAsync(
                  () -> ports.webhooks().delete(webhook, OPERATOR, ACCEPTED_AT)));
          while (database.waitingSessions() == 0) {
            Thread.sleep(10);
          }
        });

    assertThat(deleted.get().join()).isTrue();
    assertThat(ports.deliveries().removeOf(webhook.id(), 10)).isEqualTo(1);
  }

  @AfterAll
  void close() {
    database.close();
  }
}
