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

  static final Comparator<ReportRow> BY_NUMBER =
      Comparator.comparingInt(ReportRow::digits).thenComparing(ReportRow::number);

  static final String HEAD =
      """
      | # | fault | guards | requests | in flight | unknown | lost | twice | over | back | at rest |
      |---|---|---|---|---|---|---|---|---|---|---|
      """;

  private int digits() {
    return Integer.parseInt(number.replaceAll("\\D", ""));
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
