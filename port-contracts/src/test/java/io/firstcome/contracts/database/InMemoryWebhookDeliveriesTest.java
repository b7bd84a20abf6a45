package io.firstcome.contracts.database;

/** The database in memory against {@link WebhookDeliveriesContract}. */
class InMemoryWebhookDeliveriesTest extends WebhookDeliveriesContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
