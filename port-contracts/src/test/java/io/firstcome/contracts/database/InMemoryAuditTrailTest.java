package io.firstcome.contracts.database;

/** The database in memory against {@link AuditTrailContract}. */
class InMemoryAuditTrailTest extends AuditTrailContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
