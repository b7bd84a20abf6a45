package io.firstcome.systemtests.guards;

import io.firstcome.systemtests.guards.Guard.Expectation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of a guard: a head, a blank line, edits.
 *
 * <pre>{@code
 * Guard: what the guard is
 * Without: the guarantee that is violated, and how
 * Test: module: TestClass#method
 * Red: words of the failure that the test must end with
 *
 * @ NameOfTheSource.java
 * - a line of the source
 * - the next line of the source
 * + a line that replaces them
 * }</pre>
 *
 * <p>{@code Test} and {@code Red} occur once for each test of the guard, {@code @} once for each
 * edit.
 */
final class GuardFile {

  /** Where the files of all guards are. */
  static final Path FOLDER = Path.of("src", "guards").toAbsolutePath();

  private static final String ENDING = ".guard";

  private final Path file;
  private final List<String> head;
  private final List<String> body;

  private GuardFile(Path file, List<String> lines) {
    this.file = file;
    this.head = lines.stream().takeWhile(line -> !line.isBlank()).toList();
    this.body = lines.stream().skip(head.size()).filter(line -> !line.isBlank()).toList();
  }

  static boolean isOne(Path file) {
    return file.toString().endsWith(ENDING);
  }

  static Path of(Guard guard) {
    return FOLDER.resolve(guard.name() + ENDING);
  }

  static Guard read(Path file) {
    try {
      var name = file.getFileName().toString();
      var content = new GuardFile(file, Files.readAllLines(file));
      return new Guard(
          name.substring(0, name.length() - ENDING.length()),
          content.value(0, "Guard"),
          content.value(1, "Without"),
          content.expectations(),
          content.edits());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Expectation> expectations() {
    var expectations = new ArrayList<Expectation>();
    for (int i = 2; i < head.size(); i += 2) {
      expectations.add(new Expectation(MeantTest.parse(value(i, "Test")), value(i + 1, "Red")));
    }
    return expectations;
  }

  private String value(int line, String member) {
    var start = member + ": ";
    if (line >= head.size() || !head.get(line).startsWith(start)) {
      throw new IllegalArgumentException(
          "%s needs '%s' in line %d".formatted(file, start, line + 1));
    }
    return head.get(line).substring(start.length());
  }

  private List<Edit> edits() {
    var edits = new ArrayList<Edit>();
    for (int i = 0; i < body.size(); ) {
      int begin = i;
      i = endOf("@", i);
      int find = i;
      i = endOf("-", i);
      int replacement = i;
      i = endOf("+", i);
      if (find != begin + 1) {
        throw new IllegalArgumentException(
            "%s needs one '@' before each '-', and has '%s'".formatted(file, body.get(begin)));
      }
      edits.add(
          new Edit(
              text(body.get(begin)),
              body.subList(find, replacement).stream().map(GuardFile::text).toList(),
              body.subList(replacement, i).stream().map(GuardFile::text).toList()));
    }
    return edits;
  }

  /** The index of the first line from there on that does not begin with the mark. */
  private int endOf(String mark, int from) {
    int end = from;
    while (end < body.size() && body.get(end).startsWith(mark + " ")) {
      end++;
    }
    return end;
  }

  private static String text(String line) {
    return line.substring(2);
  }
}
