package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of the documentation that lists all guards. */
final class GuardsPage {

  static final Path PAGE = Path.of("..", "docs", "guards.md");

  private static final String HEAD =
      """
      # Guards

      What keeps the promises of this service are single lines: a condition in a script, a constraint, the order of two
      calls. Each line here has been removed on its own, and the tests named beside it failed for the reason that is
      said; where a row says "not tried", a complete try is still to come. `mvn verify -Pguards` does all of it again, from
      the files in `system-tests/src/guards`, and writes the rows of this page. How to add a guard is in `CONTRIBUTING.md`.

      | guard | without it | test that goes red |
      |---|---|---|
      """;

  private GuardsPage() {}

  /**
   * The page after a run. A guard that the run has not shown keeps its row if that says what the
   * guard says today, else its row says that it was not tried.
   *
   * @param before the page before it
   * @param all the guards that there are, in their order
   * @param shown those whose every test went red in the run
   */
  static String after(String before, List<Guard> all, List<Guard> shown) {
    var rowsBefore = Set.copyOf(before.lines().map("%s%n"::formatted).toList());
    return all.stream()
        .map(guard -> row(guard, shown.contains(guard) || rowsBefore.contains(row(guard, true))))
        .collect(Collectors.joining("", HEAD, ""));
  }

  private static String row(Guard guard, boolean tried) {
    var tests =
        guard.expectations().stream()
            .map(expected ->
                "`%s#%s`".formatted(expected.test().testClass(), expected.test().method()))
            .distinct()
            .collect(Collectors.joining("<br>"));
    return "| **%s** %s | %s | %s |%n"
        .formatted(
            guard.name(),
            cell(guard.what()),
            cell(guard.without()),
            tried ? tests : tests + "<br>not tried");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
