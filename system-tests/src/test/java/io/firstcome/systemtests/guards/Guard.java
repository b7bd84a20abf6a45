package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A guard of the code: the patch that removes it, and what must go red then.
 *
 * <p>The file is a patch behind a head, in which a line that begins with blanks goes on with the
 * one before:
 *
 * <pre>{@code
 * Guard: what the guard is
 * Without: the promise that falls, and how
 * Test: module: TestClass#method
 * Red: words of the failure that the test must end with
 * }</pre>
 *
 * <p>{@code Test} and {@code Red} come once for each test that is meant for the guard.
 *
 * @param name of the file, without its ending
 * @param changed the files that the patch changes, from the root of the sources
 */
record Guard(
    String name,
    Path patch,
    String what,
    String without,
    List<Expectation> expectations,
    List<String> changed) {

  private static final String ENDING = ".patch";
  private static final String DIFF = "diff --git ";
  private static final Pattern CHANGED = Pattern.compile("diff --git a/(\\S+) b/(\\S+)");

  Guard {
    expectations = List.copyOf(expectations);
    changed = List.copyOf(changed);
    if (expectations.isEmpty() || changed.isEmpty()) {
      throw new IllegalArgumentException(patch + " needs a Test with a Red, and a diff");
    }
  }

  /**
   * That a test goes red.
   *
   * @param words are in its failure, so that no other trouble passes for the missing guard
   */
  record Expectation(MeantTest test, String words) {}

  /** All guards of the folder, by name. */
  static List<Guard> in(Path folder) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(ENDING))
          .sorted()
          .map(Guard::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Guard read(Path patch) {
    try {
      var lines = Files.readAllLines(patch);
      var fileName = patch.getFileName().toString();
      var head = head(lines.stream().takeWhile(line -> !line.startsWith(DIFF)).toList());
      return new Guard(
          fileName.substring(0, fileName.length() - ENDING.length()),
          patch,
          only(head, "Guard", patch),
          only(head, "Without", patch),
          expectations(head, patch),
          lines.stream()
              .map(CHANGED::matcher)
              .filter(matcher -> matcher.matches())
              .map(matcher -> matcher.group(2))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Member(String name, String value) {}

  private static List<Member> head(List<String> lines) {
    var joined =
        lines.stream()
            .filter(line -> !line.isBlank())
            .map(line -> line.startsWith(" ") ? " " + line.strip() : "\n" + line.strip())
            .collect(Collectors.joining());
    return joined
        .lines()
        .filter(line -> !line.isEmpty())
        .map(line -> {
          int colon = line.indexOf(": ");
          return new Member(line.substring(0, Math.max(colon, 0)), line.substring(colon + 2));
        })
        .toList();
  }

  private static String only(List<Member> head, String name, Path patch) {
    var values = head.stream().filter(member -> member.name().equals(name)).toList();
    if (values.size() != 1) {
      throw new IllegalArgumentException("%s needs one '%s:'".formatted(patch, name));
    }
    return values.getFirst().value();
  }

  private static List<Expectation> expectations(List<Member> head, Path patch) {
    var expectations = new ArrayList<Expectation>();
    for (int i = 0; i < head.size(); i++) {
      if (head.get(i).name().equals("Test")) {
        if (i + 1 == head.size() || !head.get(i + 1).name().equals("Red")) {
          throw new IllegalArgumentException(
              "%s needs a 'Red:' after each 'Test:'".formatted(patch));
        }
        expectations.add(
            new Expectation(MeantTest.parse(head.get(i).value()), head.get(i + 1).value()));
      }
    }
    return expectations;
  }
}
