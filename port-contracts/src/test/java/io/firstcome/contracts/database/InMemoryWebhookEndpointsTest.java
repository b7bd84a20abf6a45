package io.firstcome.contracts.database;

/** The database in memory against {@link WebhookEndpointsContract}. */
class InMemoryWebhookEndpointsTest extends WebhookEndpointsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
