package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A guard of the code: the edits that remove it, and the tests that must then fail.
 *
 * @param name the name of its file without the extension
 * @see GuardFile the format of the file
 */
record Guard(
    String name, String what, String without, List<Expectation> expectations, List<Edit> edits) {

  Guard {
    expectations = List.copyOf(expectations);
    edits = List.copyOf(edits);
    if (expectations.isEmpty() || edits.isEmpty()) {
      throw new IllegalArgumentException(name + " needs a Test with a Red, and an edit");
    }
  }

  /**
   * A test that must fail without the guard.
   *
   * @param words text that its failure must contain, so that no unrelated failure counts
   */
  record Expectation(MeantTest test, String words) {

    private boolean isMetBy(Outcome outcome) {
      return outcome instanceof Outcome.Red(String failure) && failure.contains(words);
    }

    private void requireMetBy(Outcome outcome) {
      switch (outcome) {
        case Outcome.Red(String failure) -> {
          if (!failure.contains(words)) {
            throw new AssertionError(
                "%s failed without the words '%s':%n%s".formatted(test, words, failure));
          }
        }
        case Outcome.Green() -> throw new AssertionError(test + " passed without the guard");
        case Outcome.NotRun() -> throw new AssertionError(test + " did not complete");
      }
    }
  }

  /** All guards, by name. */
  static List<Guard> all() {
    try (var files = Files.list(GuardFile.FOLDER)) {
      return files.filter(GuardFile::isOne).sorted().map(GuardFile::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The tests of the guard, each once. */
  Stream<MeantTest> tests() {
    return expectations.stream().map(Expectation::test).distinct();
  }

  /** Whether each of these tests failed with the words of each of its expectations. */
  boolean isShownBy(Map<MeantTest, Outcome> outcomes) {
    return expectationsOf(outcomes.keySet())
        .allMatch(expected -> expected.isMetBy(outcomeOf(expected, outcomes)));
  }

  /**
   * Checks that each of these tests failed with the words of each of its expectations.
   *
   * @throws AssertionError if one did not
   */
  void requireShownBy(Map<MeantTest, Outcome> outcomes) {
    expectationsOf(outcomes.keySet())
        .forEach(expected -> expected.requireMetBy(outcomeOf(expected, outcomes)));
  }

  private static Outcome outcomeOf(Expectation expected, Map<MeantTest, Outcome> outcomes) {
    return outcomes.getOrDefault(expected.test(), new Outcome.NotRun());
  }

  private Stream<Expectation> expectationsOf(Set<MeantTest> tests) {
    return expectations.stream().filter(expected -> tests.contains(expected.test()));
  }

  /** How many of its tests are scenarios, which take far longer than others. */
  long scenarios() {
    return tests().filter(MeantTest::isScenario).count();
  }
}
