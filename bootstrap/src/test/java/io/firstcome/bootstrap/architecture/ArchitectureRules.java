package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.firstcome.bootstrap.architecture.ClassesThat.arePartOfAnException;
import static io.firstcome.bootstrap.architecture.ClassesThat.beInANullMarkedPackage;
import static io.firstcome.bootstrap.architecture.ClassesThat.beUsedOnlyByTheirAdapter;
import static io.firstcome.bootstrap.architecture.ClassesThat.readAClockOrDrawALot;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Locale;
import java.util.function.Function;

/**
 * The rules of the architecture.
 *
 * <p>A rule is created for the root package of the modules, so that a test can show the same rule
 * that holds in production to fail on a fixture.
 */
enum ArchitectureRules {
  DEPENDENCIES_POINT_INWARDS(root ->
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          // A fixture has only some layers; another test checks that production has all.
          .withOptionalLayers(true)
          .layer("domain")
          .definedBy(root + ".domain..")
          .layer("application")
          .definedBy(root + ".application..")
          .layer("driven adapters")
          .definedBy(root + ".adapter.redis..", root + ".adapter.persistence..")
          .layer("listening adapter")
          .definedBy(root + ".adapter.rabbitmq..")
          .layer("bootstrap")
          .definedBy(root + ".bootstrap..")
          .whereLayer("domain")
          .mayNotAccessAnyLayer()
          .whereLayer("application")
          .mayOnlyAccessLayers("domain")
          .whereLayer("driven adapters")
          .mayOnlyAccessLayers("domain")
          .whereLayer("listening adapter")
          .mayOnlyAccessLayers("domain", "application")
          .whereLayer("bootstrap")
          .mayNotBeAccessedByAnyLayer()
          .because(
              "domain and application must not depend on what calls them, and only a listener"
                  + " calls use cases")),

  DOMAIN_KNOWS_ONLY_THE_JDK(root ->
      classes()
          .that()
          .resideInAPackage(root + ".domain..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              root + ".domain..", "java..", "javax.crypto..", "org.jspecify.annotations..")
          .because("the model must not depend on a framework")),

  APPLICATION_KNOWS_ONLY_THE_DOMAIN(root ->
      classes()
          .that()
          .resideInAPackage(root + ".application..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              root + ".application..", root + ".domain..", "java..", "org.jspecify.annotations..")
          .because("all decisions are tested without a framework and on any backend")),

  ADAPTERS_DO_NOT_KNOW_EACH_OTHER(root ->
      slices()
          .matching(root + ".adapter.(*)..")
          .namingSlices("adapter $1")
          .should()
          .notDependOnEachOther()
          .because("each can be replaced alone")),

  REST_DOES_NOT_KNOW_PORTS(root ->
      noClasses()
          .that()
          .resideInAPackage(root + ".bootstrap.rest..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(root + ".domain.port..").and(not(arePartOfAnException())))
          .because(
              "the facade calls use cases; of the ports it uses only the exceptions, which it"
                  + " converts to problems")),

  ONLY_THE_WIRING_KNOWS_ADAPTERS(root ->
      noClasses()
          .that(
              resideInAPackage(root + ".bootstrap..")
                  .and(not(resideInAPackage(root + ".bootstrap.wiring.."))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(root + ".adapter..")
          .because("REST and operation must not depend on which backend is used")),

  THE_DATABASE_IS_KNOWN_ONLY_TO_ITS_ADAPTER(root -> Technology.DATABASE.staysAtHome(root)),

  REDIS_IS_KNOWN_ONLY_TO_ITS_ADAPTER_AND_THE_WIRING(root -> Technology.REDIS.staysAtHome(root)),

  THE_BROKER_IS_KNOWN_ONLY_TO_ITS_ADAPTER(root -> Technology.BROKER.staysAtHome(root)),

  THE_WEB_IS_KNOWN_ONLY_TO_BOOTSTRAP(root -> Technology.WEB.staysAtHome(root)),

  THE_CACHE_IS_KNOWN_ONLY_TO_THE_WIRING(root -> Technology.CACHE.staysAtHome(root)),

  GENERATED_TABLES_STAY_IN_PERSISTENCE(root ->
      classes()
          .that()
          .resideInAPackage(root + ".adapter.persistence.generated..")
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAPackage(root + ".adapter.persistence..")
          .because("a migration changes them, and must not change other code")),

  ADAPTERS_ARE_USED_THROUGH_THEIR_CONFIGURATION(root ->
      classes()
          .that()
          .resideInAPackage(root + ".adapter..")
          .and()
          .resideOutsideOfPackage(root + ".adapter.persistence.generated..")
          .and(not(ClassesThat.areConfigurations()))
          .and(not(ClassesThat.areHandedIn()))
          .should(beUsedOnlyByTheirAdapter(root + ".adapter."))
          .because("other modules get an adapter as a port, created by its configuration")),

  TIME_AND_CHANCE_ARE_HANDED_IN(root ->
      noClasses()
          .that()
          .resideInAnyPackage(root + ".domain..", root + ".application..")
          .should()
          .accessTargetWhere(readAClockOrDrawALot())
          .because(
              "a repeated decision must have the same result; only nanoTime may be read, as it"
                  + " measures durations only")),

  DOMAIN_FIELDS_ARE_FINAL(root ->
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage(root + ".domain..")
          .should()
          .beFinal()
          .because("a method returns a new state and changes none")),

  PACKAGES_HAVE_NO_CYCLES(root ->
      slices()
          .assignedFrom(new Parts(root))
          .should()
          .beFreeOfCycles()
          .because("packages that depend on each other are one package with two names")),

  NOTHING_IS_INJECTED_INTO_FIELDS(root ->
      NO_CLASSES_SHOULD_USE_FIELD_INJECTION.because(
          "a constructor shows what is needed, and tests can call it")),

  NOTHING_USES_THE_STANDARD_STREAMS(root ->
      NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.because(
          "they have no log level and no time, and cannot be switched off")),

  NOTHING_USES_JAVA_UTIL_LOGGING(root ->
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.logging..")
          .because("there is one way to log, SLF4J, and it is configured in one place")),

  EVERY_PACKAGE_IS_NULL_MARKED(root ->
      classes()
          .that()
          .resideOutsideOfPackage(root + ".adapter.persistence.generated..")
          .and()
          .doNotHaveSimpleName("package-info")
          .should(beInANullMarkedPackage())
          .because("readers and tools of other projects then know what can be null"));

  /** Captures nothing, so it is immutable; its type cannot express that. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final Function<String, ArchRule> rule;

  ArchitectureRules(Function<String, ArchRule> rule) {
    this.rule = rule;
  }

  /** The rule for the modules under {@code root}, which is {@code io.firstcome} in production. */
  ArchRule under(String root) {
    return rule.apply(root);
  }

  /** The rule's name as words. */
  String sentence() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
