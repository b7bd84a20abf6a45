package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of the documentation that lists all guards. */
final class GuardsPage {

  static final Path PAGE = Path.of("..", "docs", "guards.md");

  private static final String HEAD =
      """
      # Guards

      What keeps the promises of this service are single lines: a condition in a script, a constraint, the order of two
      calls. Each line here has been removed on its own, and the tests named beside it failed for the reason that is
      said. `mvn verify -Pguards` does all of it again, from the files in `system-tests/src/guards`, and writes the rows of
      this page. How to add a guard is in `CONTRIBUTING.md`.

      | guard | without it | test that goes red |
      |---|---|---|
      """;

  private GuardsPage() {}

  /**
   * The page after a run.
   *
   * @param before the page before it, of which the rows of other guards stay
   * @param all the guards that there are, in their order
   * @param shown those whose every test went red in the run
   */
  static String after(String before, List<Guard> all, List<Guard> shown) {
    return all.stream()
        .flatMap(guard ->
            shown.contains(guard)
                ? Stream.of(row(guard))
                : before
                    .lines()
                    .filter(line -> line.startsWith(start(guard)))
                    .map("%s%n"::formatted))
        .collect(Collectors.joining("", HEAD, ""));
  }

  private static String start(Guard guard) {
    return "| **%s** ".formatted(guard.name());
  }

  private static String row(Guard guard) {
    var tests =
        guard.expectations().stream()
            .map(expected ->
                "`%s#%s`".formatted(expected.test().testClass(), expected.test().method()))
            .distinct()
            .collect(Collectors.joining("<br>"));
    return "%s%s | %s | %s |%n"
        .formatted(start(guard), cell(guard.what()), cell(guard.without()), tests);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
