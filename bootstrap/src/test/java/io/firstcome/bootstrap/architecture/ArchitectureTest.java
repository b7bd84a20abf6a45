package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static io.firstcome.bootstrap.architecture.ProductionClasses.MODULES;
import static io.firstcome.bootstrap.architecture.ProductionClasses.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs every rule on the production classes of all modules. */
class ArchitectureTest {

  private static final JavaClasses PRODUCTION = ProductionClasses.load();

  @TestFactory
  Stream<DynamicTest> production_code_satisfies_every_rule() {
    return Arrays.stream(ArchitectureRules.values())
        .map(rule -> dynamicTest(rule.sentence(), () -> rule.under(ROOT).check(PRODUCTION)));
  }

  @Test
  void the_classes_of_all_six_modules_are_loaded_each_from_its_own_location() {
    var modulesByPlace = MODULES.stream().collect(Collectors.groupingBy(ArchitectureTest::placeOf));

    assertThat(modulesByPlace).hasSize(6);
  }

  @Test
  void every_package_that_a_rule_names_has_classes() {
    var named =
        List.of(
            "domain.port",
            "adapter.persistence.generated",
            "bootstrap.rest",
            "bootstrap.wiring",
            "bootstrap.operation");

    assertThat(named).allSatisfy(name -> assertThat(classesIn(ROOT + "." + name)).isNotEmpty());
  }

  @Test
  void every_technology_is_used_in_each_of_its_allowed_packages() {
    for (var technology : Technology.ALL) {
      for (var home : technology.homesUnder(ROOT)) {
        assertThat(PRODUCTION.that(resideInAnyPackage(home)))
            .as("%s in %s", technology, home)
            .anySatisfy(type -> assertThat(uses(type, technology)).isTrue());
      }
    }
  }

  @Test
  void every_record_that_may_be_public_exists() {
    var seen = PRODUCTION.that(ClassesThat.areHandedIn()).stream().map(JavaClass::getSimpleName);

    assertThat(seen).containsExactlyInAnyOrderElementsOf(ClassesThat.HANDED_IN);
  }

  @Test
  void tests_and_fixtures_are_not_loaded_as_production_classes() {
    assertThat(classesIn(ROOT + ".bootstrap.architecture")).isEmpty();
  }

  private static boolean uses(JavaClass type, Technology technology) {
    return type.getDirectDependenciesFromSelf().stream()
        .anyMatch(dependency -> technology.itsClasses().test(dependency.getTargetClass()));
  }

  /** The jar or folder of a module's classes, which must all be in one. */
  private static String placeOf(String module) {
    var places =
        classesIn(module).stream().map(ArchitectureTest::placeOf).collect(Collectors.toSet());

    assertThat(places).as("places of the classes of %s", module).hasSize(1);
    return places.iterator().next();
  }

  private static String placeOf(JavaClass type) {
    var file = type.getSource().orElseThrow().getUri().toString();
    var path = type.getName().replace('.', '/') + ".class";

    assertThat(file).endsWith(path);
    return file.substring(0, file.length() - path.length());
  }

  private static JavaClasses classesIn(String packageName) {
    return PRODUCTION.that(resideInAPackage(packageName + ".."));
  }
}
