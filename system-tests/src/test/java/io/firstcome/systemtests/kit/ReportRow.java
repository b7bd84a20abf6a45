package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One scenario in the report.
 *
 * @param guards their names, as in docs/guards.md
 * @param inFlight requests in flight when the fault was triggered
 * @param back from the repair to the first final answer
 * @param rest from the last answer, or the repair, until all work was done
 */
record ReportRow(
    String number,
    String fault,
    List<String> guards,
    int inFlight,
    ScenarioCounts counts,
    Duration back,
    Duration rest) {

  /** The order of the numbers of scenarios, such as 2, 11, 11a. */
  static final Comparator<String> NUMBERS =
      Comparator.<String>comparingInt(number -> Integer.parseInt(number.replaceAll("\\D", "")))
          .thenComparing(Comparator.naturalOrder());

  static final String HEAD =
      """
      | # | fault | guards | requests | in flight | unknown | lost | twice | over | back | at rest |
      |---|---|---|---|---|---|---|---|---|---|---|
      """;

  /** The number of the scenario in a row in Markdown. */
  static String number(String markdown) {
    return markdown.substring(2, markdown.indexOf(' ', 2));
  }

  String markdown() {
    return "| %s | %s | %s | %d | %d | %d | %d | %d | %d | %s | %s |\n"
        .formatted(
            number,
            fault,
            String.join("<br>", guards),
            counts.requests(),
            inFlight,
            counts.unknown(),
            counts.lost(),
            counts.twice(),
            counts.over(),
            seconds(back),
            seconds(rest));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1_000.0);
  }
}
