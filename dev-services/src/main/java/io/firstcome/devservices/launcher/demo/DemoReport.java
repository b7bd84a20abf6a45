package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import java.util.List;

/** The human-readable report of a demo. */
public final class DemoReport {

  private DemoReport() {}

  public static void print(
      Terminal terminal, DemoResult result, Tally tally, long nanos, long calls) {
    terminal.line("");
    terminal.line(
        "  speed     %s claims in %s: %s claims/s, latency p50 %s, p99 %s"
            .formatted(
                Units.count(result.users()),
                Units.seconds(nanos),
                Units.perSecond(result.users(), nanos),
                Units.millis(tally.latencyNanos(0.50)),
                Units.millis(tally.latencyNanos(0.99))));
    terminal.line(
        "  answers   %s accepted, %s sold out, %s already issued, %s errors"
            .formatted(
                Units.count(result.accepted()),
                Units.count(result.soldOut()),
                Units.count(result.alreadyIssued()),
                Units.count(result.errors())));
    terminal.line(
        "  Redis     %s script calls: %s for each accepted claim, %s for each claim"
            .formatted(
                Units.count(calls),
                Units.ratio(calls, result.accepted()),
                Units.ratio(calls, result.users())));
    IssuedRows.Finding database = result.database();
    terminal.line(
        "  database  %s rows, %s users, %s slots; complete %s ms after the last acceptance"
            .formatted(
                Units.count(database.rows()),
                Units.count(database.distinctUsers()),
                Units.count(database.distinctSlots()),
                result.durableMillis()));
    List<String> faults = result.faults();
    terminal.line(faults.isEmpty() ? "  EXACT" : "  NOT EXACT: " + String.join("; ", faults));
    tally.firstError().ifPresent(error -> terminal.line("  first error: " + error));
    terminal.line("");
  }
}
