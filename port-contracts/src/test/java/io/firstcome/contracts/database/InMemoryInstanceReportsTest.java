package io.firstcome.contracts.database;

/** The in-memory database against {@link InstanceReportsContract}. */
class InMemoryInstanceReportsTest extends InstanceReportsContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
