package io.firstcome.adapter.persistence.webhook;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.WebhookDeliveriesContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqWebhookDeliveries} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqWebhookDeliveriesIT extends WebhookDeliveriesContract {

  private final TestDatabase database = new TestDatabase(JooqWebhookDeliveriesIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
