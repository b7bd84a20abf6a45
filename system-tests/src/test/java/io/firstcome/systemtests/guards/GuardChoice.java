package io.firstcome.systemtests.guards;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Selects the guards that a run removes. */
final class GuardChoice {

  /** The word for the guards that a change affects. */
  private static final String CHANGED = "changed";

  private static final Pattern SHARD = Pattern.compile("([1-9]\\d?)/([1-9]\\d?)");

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

  /**
   * A part of the guards, so that a run of all can be divided among machines or days. The parts
   * have about as many scenarios each, and every guard is in exactly one of them.
   *
   * @param shard which part of how many, such as {@code 2/4}; empty for all
   * @throws IllegalArgumentException if it names no part
   */
  static List<Guard> shard(List<Guard> guards, String shard) {
    if (shard.isEmpty()) {
      return guards;
    }
    var numbers = SHARD.matcher(shard);
    if (!numbers.matches()) {
      throw new IllegalArgumentException("a shard is written as 2/4, not " + shard);
    }
    int part = Integer.parseInt(numbers.group(1));
    int parts = Integer.parseInt(numbers.group(2));
    if (part > parts) {
      throw new IllegalArgumentException("there is no shard " + shard);
    }
    var bySize =
        guards.stream().sorted(Comparator.comparingLong(Guard::scenarios).reversed()).toList();
    return IntStream.range(0, bySize.size())
        .filter(index -> index % parts == part - 1)
        .mapToObj(bySize::get)
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
