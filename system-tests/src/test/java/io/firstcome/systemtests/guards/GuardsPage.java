package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The page of the documentation that lists all guards. */
final class GuardsPage {

  /** Where the patches are, seen from this module. */
  static final Path PATCHES = Path.of("src", "guards").toAbsolutePath();

  static final Path PAGE = Path.of("..", "docs", "guards.md");

  private static final String HEAD =
      """
      # Guards

      What keeps the promises of this service are single lines: a condition in a script, a constraint, the order of two
      calls. Each line here has been removed on its own, and the tests named beside it went red for the reason that
      is said. `mvn verify -Pguards` does all of it again, from the patches in `system-tests/src/guards`, and writes this
      page; how to add a guard is in `CONTRIBUTING.md`.

      | guard | without it | test that goes red |
      |---|---|---|
      """;

  private GuardsPage() {}

  static String of(List<Guard> guards) {
    return guards.stream().map(GuardsPage::row).collect(Collectors.joining("", HEAD, ""));
  }

  private static String row(Guard guard) {
    var tests =
        guard.expectations().stream()
            .map(expected ->
                "`%s#%s`".formatted(expected.test().testClass(), expected.test().method()))
            .distinct()
            .collect(Collectors.joining("<br>"));
    return "| **%s** %s | %s | %s |%n"
        .formatted(guard.name(), cell(guard.what()), cell(guard.without()), tests);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
