package io.firstcome.adapter.persistence.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.table;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.firstcome.adapter.persistence.plan.Plans.Way;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The rows that each statement reads, and the indexes that it uses. The tables are small here, so
 * reading a whole table can be right for a statement that reads hundreds of rows. Such statements
 * are checked with the generic plan only, which is the same as with a hundred times as many rows:
 * see {@link PlansAtScaleIT}.
 */
class PlansIT extends PlansOfManyRows {

  private static final int HUNDREDS = 250;

  PlansIT() {
    super(new ManyUserCoupons(100_000));
  }

  @TestFactory
  Stream<DynamicTest> each_statement_uses_only_its_indexes() {
    return cases.stream()
        .flatMap(one ->
            (one.reads() < HUNDREDS ? Stream.of(Way.values()) : Stream.of(Way.GENERIC))
                .map(way ->
                    dynamicTest(
                        "%s, %s".formatted(one.title(), way),
                        () -> one.check(plan(one, way, null)))));
  }

  @TestFactory
  Stream<DynamicTest> a_statement_without_one_of_its_indexes_fails_its_check() {
    return cases.stream()
        .flatMap(one ->
            one.indexes().stream()
                .map(index ->
                    dynamicTest(
                        "%s, without %s".formatted(one.title(), index),
                        () -> checkWithout(one, index))));
  }

  private void checkWithout(PlanCase one, String index) {
    assertThatThrownBy(() -> one.check(plan(one, Way.GENERIC, dropping(index))))
        .satisfiesAnyOf(
            failure -> assertThat(failure).isInstanceOf(AssertionError.class),
            // An INSERT whose ON CONFLICT clause needs the index fails at once.
            failure -> assertThat(failure).hasMessageContaining("ON CONFLICT specification"));
  }

  private String dropping(String index) {
    var isConstraint =
        database.dsl().fetchExists(table("pg_constraint"), condition("conname = ?", index));
    return isConstraint
        ? "ALTER TABLE %s DROP CONSTRAINT %s CASCADE".formatted(tableOf(index), index)
        : "DROP INDEX " + index;
  }

  private String tableOf(String index) {
    return database
        .dsl()
        .fetchSingle("SELECT tablename FROM pg_indexes WHERE indexname = ?", index)
        .get(0, String.class);
  }
}
