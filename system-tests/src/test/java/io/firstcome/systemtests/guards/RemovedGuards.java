package io.firstcome.systemtests.guards;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.guards.Guard.Expectation;
import io.firstcome.systemtests.guards.TestReports.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Removes each guard from a copy of the sources and runs the tests that are meant for it, of which
 * each must fail, and with the words that the guard's patch says. Without a patch all of them must
 * pass. A build that fails proves nothing and is a failure here.
 *
 * <p>Not part of a default build, as it takes long: {@code mvn verify -Pguards}, and with {@code
 * -Dguards=fence,confirm} only those with one of these words in their name. The scenarios that are
 * meant for a guard take much longer; they are tried where the same build runs them all, in {@code
 * mvn verify -Pfaults,guards}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemovedGuards {

  private final Path work = Path.of("target", "guards").toAbsolutePath();
  private final Sources sources = new Sources(work.resolve("sources"));
  private final Build build = new Build(sources.copy(), work.resolve("logs"));
  private final List<Guard> all = Guard.in(GuardsPage.PATCHES);
  private final boolean withScenarios =
      !System.getProperty("firstcome.left-out", "").contains("faults");
  private final List<Guard> chosen =
      all.stream()
          .filter(RemovedGuards::isChosen)
          .filter(guard -> !expectations(guard).isEmpty())
          .toList();
  private final List<Guard> missed = new ArrayList<>();

  private static boolean isChosen(Guard guard) {
    return Arrays.stream(System.getProperty("firstcome.guards", "").split(","))
        .anyMatch(guard.name()::contains);
  }

  private List<Expectation> expectations(Guard guard) {
    return guard.expectations().stream()
        .filter(expected -> withScenarios || !expected.test().isOfThisModule())
        .toList();
  }

  /** But the scenarios, which this build has run already if it is to run them at all. */
  @BeforeAll
  void without_a_patch_every_meant_test_is_green() throws InterruptedException {
    assertThat(chosen).as("guards of that name").isNotEmpty();
    sources.restore();
    var tests =
        chosen.stream()
            .flatMap(guard -> guard.expectations().stream())
            .map(Expectation::test)
            .filter(test -> !test.isOfThisModule())
            .distinct()
            .toList();
    if (tests.isEmpty()) {
      return;
    }
    var reports = build.run("without-a-patch", tests);
    assertThat(tests)
        .allSatisfy(test -> assertThat(reports.of(test)).isEqualTo(new Outcome.Green()));
  }

  @TestFactory
  Stream<DynamicTest> a_test_misses_the_guard() {
    return chosen.stream()
        .map(guard -> DynamicTest.dynamicTest(guard.name(), () -> requireMissed(guard)));
  }

  private void requireMissed(Guard guard) throws InterruptedException {
    long start = System.nanoTime();
    sources.restore();
    sources.remove(guard);
    try {
      for (var together : builds(guard)) {
        var tests = together.stream().map(Expectation::test).distinct().toList();
        var name = tests.getFirst().isOfThisModule() ? "-" + tests.getFirst().method() : "";
        var reports = build.run(guard.name() + name, tests);
        together.forEach(expected -> requireRed(expected, reports));
      }
      missed.add(guard);
    } finally {
      System.out.printf(
          "%-4s %-40s %3d s%n",
          missed.contains(guard) ? "red" : "NOT",
          guard.name(),
          (System.nanoTime() - start) / 1_000_000_000);
    }
  }

  /**
   * Each scenario is run on servers of its own: one that has gone red leaves behind what would make
   * the next one red too.
   */
  private List<List<Expectation>> builds(Guard guard) {
    var byPlace =
        expectations(guard).stream()
            .collect(
                groupingBy(
                    expected -> expected.test().isOfThisModule() ? expected.test().toString() : "",
                    TreeMap::new,
                    toList()));
    return List.copyOf(byPlace.values());
  }

  private static void requireRed(Expectation expected, TestReports reports) {
    switch (reports.of(expected.test())) {
      case Outcome.Red(String failure) -> {
        if (!failure.contains(expected.words())) {
          throw new AssertionError(
              "%s went red without a word of '%s':%n%s"
                  .formatted(expected.test(), expected.words(), failure));
        }
      }
      case Outcome.Green() ->
          throw new AssertionError(expected.test() + " does not miss the guard");
      case Outcome.NotRun() -> throw new AssertionError(expected.test() + " did not run");
    }
  }

  /** A guard's row goes to the page when all of its tests were run and went red. */
  @AfterAll
  void writeDown() throws IOException {
    for (var guard : chosen) {
      System.out.printf("%n%s: %s%n  without: %s%n", guard.name(), guard.what(), guard.without());
      for (var expected : expectations(guard)) {
        System.out.printf("  %s %s%n", missed.contains(guard) ? "red:" : "NOT:", expected.test());
      }
    }
    var shown =
        missed.stream().filter(guard -> expectations(guard).equals(guard.expectations())).toList();
    Files.writeString(
        GuardsPage.PAGE, GuardsPage.after(Files.readString(GuardsPage.PAGE), all, shown));
  }
}
