package io.firstcome.contracts.database;

/** The database in memory against {@link ClaimRecordingContract}. */
class InMemoryClaimRecordingTest extends ClaimRecordingContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
