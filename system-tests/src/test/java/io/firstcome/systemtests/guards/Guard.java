package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/**
 * A guard of the code: the edits that remove it, and the tests that must fail then.
 *
 * @param name of its file, without the ending
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
   * That a test fails.
   *
   * @param words are in its failure, so that no other trouble is taken for the missing guard
   */
  record Expectation(MeantTest test, String words) {

    /**
     * Does nothing if that is what became of the test.
     *
     * @throws AssertionError if it is not
     */
    void requireMetBy(Outcome outcome) {
      switch (outcome) {
        case Outcome.Red(String failure) -> {
          if (!failure.contains(words)) {
            throw new AssertionError(
                "%s failed without a word of '%s':%n%s".formatted(test, words, failure));
          }
        }
        case Outcome.Green() -> throw new AssertionError(test + " does not miss the guard");
        case Outcome.NotRun() -> throw new AssertionError(test + " did not run to its end");
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

  /** The tests that are meant for the guard, each once. */
  Stream<MeantTest> tests() {
    return expectations.stream().map(Expectation::test).distinct();
  }
}
