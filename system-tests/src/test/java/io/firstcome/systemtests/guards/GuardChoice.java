package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Selects the guards that a run removes. */
final class GuardChoice {

  /** The word for the guards that a change affects. */
  private static final String CHANGED = "changed";

  private GuardChoice() {}

  /**
   * @param words parts of names, separated by commas; empty for all guards; {@value #CHANGED} for
   *     those with a change in an edited file, in a test or in the guard's own file
   * @param base the commit to compare with, as in {@link Changes#since}
   */
  static List<Guard> of(List<Guard> all, Sources sources, String words, String base)
      throws InterruptedException {
    if (words.equals(CHANGED)) {
      var changes = new Changes(Sources.ROOT).since(base);
      return all.stream().filter(guard -> isTouched(guard, sources, changes)).toList();
    }
    var parts = words.split(",");
    return all.stream()
        .filter(guard -> Arrays.stream(parts).anyMatch(guard.name()::contains))
        .toList();
  }

  private static boolean isTouched(Guard guard, Sources sources, Set<Path> changes) {
    return Stream.of(
            Stream.of(GuardFile.of(guard)),
            guard.edits().stream().map(edit -> sources.edited(edit).file()),
            guard.tests().map(test -> sources.of(test).file()))
        .flatMap(files -> files)
        .anyMatch(changes::contains);
  }
}
