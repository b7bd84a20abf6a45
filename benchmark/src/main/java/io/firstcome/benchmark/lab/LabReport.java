package io.firstcome.benchmark.lab;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results of the lab as text. */
final class LabReport {

  private static final String REFERENCE = "firstcome";
  private static final String NOT_APPLICABLE = "–";

  private final List<Line> lines;
  private final Load load;
  private final int rounds;
  private final int deaths;

  LabReport(List<Line> lines, Load load, int rounds, int deaths) {
    this.lines = List.copyOf(lines);
    this.load = load;
    this.rounds = rounds;
    this.deaths = deaths;
  }

  /** The report for a terminal. */
  String plain() {
    return "%s%n%s%n%s%n%s"
        .formatted(conditions(), speed().plain(), exactness().plain(), reasons("%s: %s\n"));
  }

  /** The generated part of {@code docs/strategies.md}. */
  String markdown(LocalDate today) {
    return """
    %s On %d processors, %s.

    ### Speed

    %s
    ### Exactness

    %s
    ### Why

    %s\
    """
        .formatted(
            conditions(),
            Runtime.getRuntime().availableProcessors(),
            today,
            speed().markdown(),
            exactness().markdown(),
            reasons("- **%s**: %s\n"));
  }

  private String conditions() {
    return String.format(
        Locale.ROOT,
        "%,d users, a tenth of them with two requests at once, %,d slots, %d callers; median of %d"
            + " rounds in turns, worst of %d kills of each kind; seed %d.",
        load.users(),
        load.quantity(),
        Load.CALLERS,
        rounds,
        deaths,
        load.seed());
  }

  private LabTable speed() {
    var table =
        new LabTable(
            "strategy",
            "answers/s",
            "wins/s",
            "Firstcome is",
            "win p50",
            "win p99",
            "refusal p50",
            "refusal p99",
            "no answer",
            "all durable after");
    for (var line : lines) {
      table.add(
          List.of(
              line.contender().name(),
              perSecond(line.perSecond()),
              perSecond(line.winsPerSecond()),
              timesFaster(line),
              millis(line.winMedian()),
              millis(line.winSlowest()),
              millis(line.refusalMedian()),
              millis(line.refusalSlowest()),
              Long.toString(line.failed()),
              String.format(Locale.ROOT, "%.1f s", line.durableAfter().toMillis() / 1e3)));
    }
    return table;
  }

  private String timesFaster(Line line) {
    return lines.stream()
        .filter(other -> other.contender().id().equals(REFERENCE) && line.winsPerSecond() > 0)
        .findFirst()
        .map(other ->
            String.format(Locale.ROOT, "%.1f×", other.winsPerSecond() / line.winsPerSecond()))
        .orElse(NOT_APPLICABLE);
  }

  private LabTable exactness() {
    var table =
        new LabTable(
            "strategy, and what was killed",
            "rows",
            "over",
            "under",
            "twice",
            "lost",
            "unreported",
            "exact");
    for (var line : lines) {
      var name = line.contender().name();
      table.add(cells(name + ", nothing", line.undisturbed()));
      if (deaths > 0) {
        table.add(cells(name + ", process", line.afterProcessDeath()));
        line.afterRedisDeath().ifPresent(verdict -> table.add(cells(name + ", Redis", verdict)));
      }
    }
    return table;
  }

  private static List<String> cells(String name, Verdict verdict) {
    var cells = new ArrayList<String>();
    cells.add(name);
    for (int figure :
        new int[] {
          verdict.rows(),
          verdict.over(),
          verdict.under(),
          verdict.duplicates(),
          verdict.lost(),
          verdict.unreported()
        }) {
      cells.add(Integer.toString(figure));
    }
    cells.add(verdict.exact() ? "yes" : "no");
    return cells;
  }

  private String reasons(String format) {
    return lines.stream()
        .map(line -> format.formatted(line.contender().name(), line.contender().verdict()))
        .collect(Collectors.joining());
  }

  private static String perSecond(double figure) {
    return String.format(Locale.ROOT, "%,.0f", figure);
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }
}
