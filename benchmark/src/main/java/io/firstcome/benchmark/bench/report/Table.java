package io.firstcome.benchmark.bench.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as a table for a terminal. */
public final class Table {

  private Table() {}

  public static String of(Report report) {
    String head =
        row("target", "ratio", "goal", "met", "measured", "against", "unit", "description");
    String rows = report.results().stream().map(Table::row).collect(Collectors.joining());
    String missing =
        report.notMeasured().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> "%-14s not measured: %s\n".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining());
    String warnings =
        report.machine().warnings().stream()
            .map(warning -> "WARNING: " + warning + "\n")
            .collect(Collectors.joining());
    String code =
        report.code().stream()
            .map(figure ->
                row(
                    figure.name(),
                    "",
                    "",
                    "",
                    Figures.text(figure.nanos()),
                    "",
                    "ns",
                    Figures.text(figure.bytes()) + " bytes allocated"))
            .collect(Collectors.joining());
    return "\n" + head + rows + missing + code + "\n" + machine(report.machine()) + warnings;
  }

  private static String row(Result result) {
    Measure measure = result.measure();
    return row(
        measure.id(),
        Figures.ratio(result.ratio()),
        Figures.goal(measure),
        result.isMet().map(met -> met ? "yes" : "NO").orElse(""),
        Figures.text(result.figure()),
        Figures.text(result.reference()),
        measure.unit(),
        measure.what());
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%-14s %8s %8s  %-4s %14s %14s  %-15s %s\n", cells);
  }

  private static String machine(Machine machine) {
    return "on %s\n".formatted(machine.text());
  }
}
