package io.firstcome.adapter.persistence.plan;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The rows that each statement reads, and the indexes that it uses, with ten million user coupons.
 */
@Tag("scale")
class PlansAtScaleIT extends PlansOfManyRows {

  private final PlansReport report = new PlansReport();

  PlansAtScaleIT() {
    super(new ManyUserCoupons(Long.getLong("firstcome.scale.rows")));
  }

  @TestFactory
  Stream<DynamicTest> each_statement_uses_only_its_indexes() {
    return cases.stream()
        .flatMap(one ->
            Stream.of(Plans.Way.values())
                .map(way ->
                    dynamicTest("%s, %s".formatted(one.title(), way), () -> check(one, way))));
  }

  private void check(PlanCase one, Plans.Way way) {
    var plan = plan(one, way, null);
    one.check(plan);
    report.add(one, way, plan);
  }

  @AfterAll
  void report() {
    if (report.isOf(cases)) {
      report.write(
          Path.of(System.getProperty("firstcome.report")), Path.of("target", "plans.md"), database);
    }
  }
}
