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

/** Checks of the guard files that run no guarded test: a refactoring must not lose a guard. */
class GuardFilesTest {

  private final Sources sources = new Sources();
  private final List<Guard> guards = Guard.all();

  @Test
  void each_edit_finds_its_place_in_production_code_and_changes_it() {
    assertThat(guards)
        .isNotEmpty()
        .allSatisfy(guard ->
            assertThat(Overlay.contents(guard, sources))
                .allSatisfy((source, content) ->
                    assertThat(content).isNotEqualToIgnoringWhitespace(source.content())));
  }

  @Test
  void each_test_has_its_class_in_its_module() {
    assertThat(guards.stream().flatMap(Guard::tests))
        .allSatisfy(test -> assertThat(sources.of(test).file()).exists());
  }

  /**
   * A scenario must be listed as a test of each guard that it names, so that the run without the
   * guard includes it.
   */
  @Test
  void each_scenario_is_a_test_of_exactly_the_guards_that_it_names() {
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
      guard
          .tests()
          .filter(scenarios::contains)
          .forEach(test -> testsOf(guard.name(), meant).add(test));
    }
    assertThat(meant).isEqualTo(named);
  }

  private static Set<MeantTest> testsOf(String guard, Map<String, Set<MeantTest>> byGuard) {
    return byGuard.computeIfAbsent(guard, absent -> new TreeSet<>());
  }

  /**
   * Each guard with its current text, and as not tried if the text has changed since its last run.
   */
  @Test
  void the_page_lists_all_guards() throws IOException {
    var page = Files.readString(GuardsPage.PAGE);
    assertThat(page).isEqualTo(GuardsPage.after(page, guards, List.of())).endsWith("|\n");
  }
}
