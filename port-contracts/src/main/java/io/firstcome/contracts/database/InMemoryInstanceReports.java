package io.firstcome.contracts.database;

import static java.util.Comparator.comparing;

import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.port.InstanceReports;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** {@link InstanceReports} in memory. */
final class InMemoryInstanceReports implements InstanceReports {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryInstanceReports(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /** A report and when it was stored. */
  record Stored(InstanceReport report, Instant at) {}

  @Override
  public void store(InstanceReport report) {
    database.transaction(
        () -> tables.instances.put(report.instance(), new Stored(report, database.now())));
  }

  @Override
  public List<SeenInstance> latest(Duration age, int max) {
    return database.transaction(() -> {
      var now = database.now();
      return tables.instances.values().stream()
          .filter(stored -> !stored.at().isBefore(now.minus(age)))
          .sorted(comparing(Stored::at).reversed())
          .limit(max)
          .sorted(comparing(stored -> stored.report().instance()))
          .map(stored -> new SeenInstance(stored.report(), Duration.between(stored.at(), now)))
          .toList();
    });
  }

  @Override
  public void forget(Duration age) {
    database.transaction(() -> {
      var now = database.now();
      return tables.instances.values().removeIf(stored -> stored.at().isBefore(now.minus(age)));
    });
  }
}
