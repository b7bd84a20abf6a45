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

      The guarantees of this service depend on single lines: a condition in a script, a constraint, the order of two
      calls. Each of these lines was removed alone, and the tests named beside it failed for the stated reason; "not tried"
      marks a row whose complete run is still missing. `mvn verify -Pguards` repeats all of it from the files in
      `system-tests/src/guards`, and writes the rows of this page. `CONTRIBUTING.md` describes how to add a guard.

      | guard | without it | test that goes red |
      |---|---|---|
      """;

  private GuardsPage() {}

  /**
   * The page after a run. A guard that the run did not confirm keeps its row if the row has the
   * current text; otherwise its row says that it was not tried.
   *
   * @param before the page before the run
   * @param all the guards of all files, in order
   * @param shown the guards whose tests all failed in the run
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
