package io.firstcome.adapter.persistence.plan;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * A database with very many user coupons, all statements that read or write them, and their plans.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlansOfManyRows {

  final TestDatabase database;
  final List<PlanCase> cases;
  private final Plans plans;

  PlansOfManyRows(ManyUserCoupons many) {
    database = new TestDatabase(getClass());
    many.fill(database);
    plans = new Plans(database);
    cases = cases(many, database.ports());
  }

  /**
   * Statements that write come last: they are rolled back, but their dead rows would affect the
   * plans of later statements.
   */
  private static List<PlanCase> cases(ManyUserCoupons many, DatabasePorts ports) {
    return Stream.of(
            new WalletPlans(many, ports).all(),
            new LookUpPlans(many, ports).all(),
            new BackgroundPlans(many, ports).all(),
            new ErasurePlans(many, ports).all(),
            new WebhookPlans().all(),
            new RecordingPlans(many, ports).all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The current plan of the statement.
   *
   * @param before a statement that is run first and rolled back, or null
   */
  Plan plan(PlanCase one, Plans.Way way, @Nullable String before) {
    return one.among(plans.of(one.call(), way, before));
  }

  @AfterAll
  void close() {
    plans.close();
    database.close();
  }
}
