package io.firstcome.contracts.database;

/** The database in memory against {@link LateClaimRepositoryContract}. */
class InMemoryLateClaimRepositoryTest extends LateClaimRepositoryContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
