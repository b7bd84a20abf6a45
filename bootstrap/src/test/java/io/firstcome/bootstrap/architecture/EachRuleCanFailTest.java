package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs every rule on a fixture that breaks it and no other rule.
 *
 * <p>A rule that matches nothing throws an {@link AssertionError} too, so the message must show
 * that the rule found the violation.
 */
class EachRuleCanFailTest {

  private static final String FIXTURES = "io.firstcome.bootstrap.architecture.fixture";

  private static final JavaClasses ALL_FIXTURES = new ClassFileImporter().importPackages(FIXTURES);

  /** A small service below {@code FIXTURES.name}, and its classes that break the rule. */
  private record Fixture(String name, Set<String> offenders) {

    static Fixture of(String name, String... offenders) {
      return new Fixture(name, Set.of(offenders));
    }

    String root() {
      return FIXTURES + "." + name;
    }

    JavaClasses classes() {
      return ALL_FIXTURES.that(resideInAPackage(root() + ".."));
    }

    Set<String> offenderNames() {
      return offenders.stream()
          .map(offender -> root() + "." + offender)
          .collect(Collectors.toSet());
    }
  }

  /** The switch has no default, so that a new rule does not compile without a fixture. */
  private static Fixture fixtureOf(ArchitectureRules rule) {
    return switch (rule) {
      case DEPENDENCIES_POINT_INWARDS ->
          Fixture.of(
              "inwards",
              "adapter.redis.StockThatKnowsTheService",
              "adapter.redis.StockThatDecides");
      case DOMAIN_KNOWS_ONLY_THE_JDK -> Fixture.of("puredomain", "domain.coupon.CouponThatLogs");
      case APPLICATION_KNOWS_ONLY_THE_DOMAIN ->
          Fixture.of("pureapplication", "application.UseCaseThatIsABean");
      case ADAPTERS_DO_NOT_KNOW_EACH_OTHER ->
          Fixture.of("neighbours", "adapter.redis.StockThatKnowsTheRows");
      case REST_DOES_NOT_KNOW_PORTS ->
          Fixture.of("restports", "bootstrap.rest.ControllerThatAsksThePort");
      case ONLY_THE_WIRING_KNOWS_ADAPTERS ->
          Fixture.of(
              "wiring",
              "bootstrap.rest.ControllerThatKnowsRedis",
              "bootstrap.operation.LoopThatKnowsRedis");
      case THE_DATABASE_IS_KNOWN_ONLY_TO_ITS_ADAPTER ->
          Fixture.of(
              "database",
              "adapter.redis.StockWithADataSource",
              "bootstrap.rest.ControllerWithADataSource");
      case REDIS_IS_KNOWN_ONLY_TO_ITS_ADAPTER_AND_THE_WIRING ->
          Fixture.of(
              "redis", "adapter.persistence.RowsWithRedis", "bootstrap.operation.HealthWithRedis");
      case THE_BROKER_IS_KNOWN_ONLY_TO_ITS_ADAPTER ->
          Fixture.of(
              "broker", "adapter.persistence.RowsInMessages", "bootstrap.wiring.WiringThatSends");
      case THE_WEB_IS_KNOWN_ONLY_TO_BOOTSTRAP ->
          Fixture.of(
              "web", "adapter.rabbitmq.ListenerWithARequest", "adapter.redis.StockWithARequest");
      case THE_CACHE_IS_KNOWN_ONLY_TO_THE_WIRING ->
          Fixture.of("cache", "bootstrap.rest.ControllerWithACache");
      case GENERATED_TABLES_STAY_IN_PERSISTENCE ->
          Fixture.of("generated", "bootstrap.wiring.WiringThatKnowsTheTables");
      case ADAPTERS_ARE_USED_THROUGH_THEIR_CONFIGURATION ->
          Fixture.of("hidden", "adapter.redis.StockForEveryone", "adapter.redis.LooseLimits");
      case TIME_AND_CHANCE_ARE_HANDED_IN ->
          Fixture.of(
              "timeandchance",
              "domain.coupon.CouponThatReadsTheClock",
              "application.UseCaseThatMakesIds",
              "application.UseCaseThatAsksForTheDay",
              "application.UseCaseThatCountsMillis",
              "application.UseCaseThatMakesAClock",
              "application.UseCaseThatRollsDice");
      case DOMAIN_FIELDS_ARE_FINAL -> Fixture.of("finalfields", "domain.coupon.CouponThatChanges");
      case PACKAGES_HAVE_NO_CYCLES -> Fixture.of("cycles", "domain.coupon.CouponThatSavesItself");
      case NOTHING_IS_INJECTED_INTO_FIELDS ->
          Fixture.of("injection", "bootstrap.operation.LoopWithAFilledField");
      case NOTHING_USES_THE_STANDARD_STREAMS ->
          Fixture.of("streams", "bootstrap.operation.LoopThatPrints");
      case NOTHING_USES_JAVA_UTIL_LOGGING ->
          Fixture.of("jul", "bootstrap.operation.LoopWithItsOwnLog");
      case EVERY_PACKAGE_IS_NULL_MARKED -> Fixture.of("nullmarked", "application.UncheckedUseCase");
    };
  }

  @TestFactory
  Stream<DynamicTest> a_rule_reports_each_class_that_violates_it() {
    return forEveryRule(rule -> {
      var fixture = fixtureOf(rule);
      var classes = fixture.classes();

      assertThatThrownBy(() -> rule.under(fixture.root()).check(classes))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("was violated")
          .hasMessageContainingAll(fixture.offenderNames().toArray(String[]::new));
    });
  }

  @TestFactory
  Stream<DynamicTest> a_rule_reports_no_other_class() {
    return forEveryRule(rule -> {
      var fixture = fixtureOf(rule);
      var report = rule.under(fixture.root()).evaluate(fixture.classes()).getFailureReport();

      assertThat(report.getDetails())
          .allSatisfy(detail -> assertThat(fixture.offenderNames()).anyMatch(detail::contains));
    });
  }

  @TestFactory
  Stream<DynamicTest> a_fixture_violates_no_other_rule() {
    return forEveryRule(rule -> {
      var fixture = fixtureOf(rule);
      var classes = fixture.classes();

      assertThat(ArchitectureRules.values())
          .filteredOn(each -> isBroken(each, fixture.root(), classes))
          .containsExactly(rule);
    });
  }

  @Test
  void every_rule_has_its_own_fixture_and_there_is_no_unused_fixture() {
    var roots =
        Arrays.stream(ArchitectureRules.values()).map(rule -> fixtureOf(rule).root()).toList();

    assertThat(roots).doesNotHaveDuplicates();
    assertThat(ALL_FIXTURES)
        .extracting(JavaClass::getPackageName)
        .allSatisfy(name -> assertThat(roots).anyMatch(root -> name.startsWith(root + ".")));
  }

  private static boolean isBroken(ArchitectureRules rule, String root, JavaClasses classes) {
    // A fixture is small: most rules match none of its classes.
    return rule.under(root).allowEmptyShould(true).evaluate(classes).hasViolation();
  }

  private static Stream<DynamicTest> forEveryRule(Consumer<ArchitectureRules> check) {
    return Arrays.stream(ArchitectureRules.values())
        .map(rule -> dynamicTest(rule.sentence(), () -> check.accept(rule)));
  }
}
