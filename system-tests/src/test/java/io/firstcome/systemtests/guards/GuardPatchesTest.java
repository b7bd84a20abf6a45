package io.firstcome.systemtests.guards;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What can be said of the patches without running anything: a refactoring must not lose one. */
class GuardPatchesTest {

  private final List<Guard> guards = Guard.in(GuardsPage.PATCHES);

  @Test
  void each_patch_fits_the_sources() throws InterruptedException {
    for (var guard : guards) {
      Sources.requireFits(guard, Sources.ROOT);
    }
    assertThat(guards).isNotEmpty();
  }

  @Test
  void each_patch_changes_what_the_service_runs_and_no_test() {
    assertThat(guards)
        .allSatisfy(
            guard -> assertThat(guard.changed()).allMatch(file -> file.contains("/src/main/")));
  }

  /** What a scenario says of its guards is tried with each of them removed. */
  @Test
  void each_scenario_is_meant_for_the_guards_that_it_names_and_for_no_other() {
    Map<String, Set<MeantTest>> named = new TreeMap<>();
    for (var scenario : Scenarios.all()) {
      var guardsOfIt = scenario.getAnnotation(Scenario.class).guards();
      assertThat(guardsOfIt).as("guards of %s", scenario).isNotEmpty();
      for (var guard : guardsOfIt) {
        testsOf(guard, named).add(MeantTest.ofThisModule(scenario));
      }
    }
    var scenarios = named.values().stream().flatMap(Set::stream).collect(toSet());
    Map<String, Set<MeantTest>> meant = new TreeMap<>();
    for (var guard : guards) {
      guard.expectations().stream()
          .map(Guard.Expectation::test)
          .filter(scenarios::contains)
          .forEach(test -> testsOf(guard.name(), meant).add(test));
    }
    assertThat(meant).isEqualTo(named);
  }

  private static Set<MeantTest> testsOf(String guard, Map<String, Set<MeantTest>> byGuard) {
    return byGuard.computeIfAbsent(guard, absent -> new TreeSet<>());
  }

  @Test
  void the_page_lists_them_all() throws IOException {
    assertThat(GuardsPage.PAGE).hasContent(GuardsPage.after("", guards, guards));
    assertThat(Files.readString(GuardsPage.PAGE)).endsWith("|\n");
  }
}
