package io.firstcome.contracts.database;

/** The in-memory database against {@link CampaignRepositoryContract}. */
class InMemoryCampaignRepositoryTest extends CampaignRepositoryContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
