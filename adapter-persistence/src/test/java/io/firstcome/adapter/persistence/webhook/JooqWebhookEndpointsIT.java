package io.firstcome.adapter.persistence.webhook;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.WebhookEndpointsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqWebhookEndpoints} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqWebhookEndpointsIT extends WebhookEndpointsContract {

  private final TestDatabase database = new TestDatabase(JooqWebhookEndpointsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
