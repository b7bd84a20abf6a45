package io.firstcome.adapter.persistence;

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

  /** What writes comes last: it is taken back, but in the way of those that come later. */
  private static List<PlanCase> cases(ManyUserCoupons many, DatabasePorts ports) {
    return Stream.of(
            new WalletPlans(many, ports).all(),
            new LookUpPlans(many, ports).all(),
            new BackgroundPlans(many, ports).all(),
            new RecordingPlans(many, ports).all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The plan of the statement now.
   *
   * @param before what is done first and taken back, or null
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
