package io.firstcome.contracts.database;

/** The in-memory database against {@link IssuanceCurvesContract}. */
class InMemoryIssuanceCurvesTest extends IssuanceCurvesContract {

  @Override
  protected DatabasePorts emptyDatabase() {
    return new InMemoryDatabase().ports();
  }
}
