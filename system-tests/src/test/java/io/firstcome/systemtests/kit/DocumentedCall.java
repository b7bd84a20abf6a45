package io.firstcome.systemtests.kit;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shell block of a document and the expected answer below it: {@code `201 {"slot":1,…}`}, where
 * {@code …} matches anything.
 *
 * @param body as it is shown, or the empty text for none
 */
public record DocumentedCall(String shell, int status, String body) {

  private static final String FENCE = "```";
  private static final String ANYTHING = "…";
  private static final Pattern EXPECTATION = Pattern.compile("^`(\\d{3})(?: ([^`]*))?`.*");
  private static final Pattern ANSWER =
      Pattern.compile("HTTP/1\\.1 (\\d{3}).*?\\r\\n\\r\\n(.*)", Pattern.DOTALL);

  /**
   * The calls of the section under that heading, in their order.
   *
   * @throws IllegalArgumentException if a block is incomplete or has no answer below it
   */
  public static List<DocumentedCall> read(String document, String heading) {
    List<DocumentedCall> calls = new ArrayList<>();
    List<String> lines = section(document, heading);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf(FENCE);
        String shell = String.join("\n", lines.subList(i + 1, Math.max(i + 1, end)));
        calls.add(of(shell, end + 1 < lines.size() ? lines.get(end + 1) : ""));
        i = end + 1;
      }
    }
    return calls;
  }

  private static List<String> section(String document, String heading) {
    return document
        .lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  private static DocumentedCall of(String shell, String expectation) {
    Matcher expected = EXPECTATION.matcher(expectation);
    if (shell.isBlank() || shell.contains(ANYTHING) || !expected.matches()) {
      throw new IllegalArgumentException(
          "not a complete shell block with its answer: %s%n%s".formatted(shell, expectation));
    }
    return new DocumentedCall(
        shell,
        Integer.parseInt(expected.group(1)),
        Optional.ofNullable(expected.group(2)).orElse(""));
  }

  /** Whether the call only reads, so that it can be repeated. */
  public boolean onlyReads() {
    return !shell.contains("-X ") && !shell.contains("-d ");
  }

  /** Whether curl has printed exactly one answer with its head, and it matches. */
  public boolean isAnsweredBy(String output) {
    Matcher answer = ANSWER.matcher(output);
    return answer.matches()
        && !answer.group(2).contains("HTTP/1.1 ")
        && Integer.parseInt(answer.group(1)) == status
        && shown().matcher(answer.group(2).strip()).matches();
  }

  private Pattern shown() {
    return Pattern.compile(
        Arrays.stream(body.split(ANYTHING, -1)).map(Pattern::quote).collect(joining(".*")),
        Pattern.DOTALL);
  }
}
