package io.firstcome.contracts.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.RecoveryStatus;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.InstanceReports;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every database does with the reports of instances. */
public abstract class InstanceReportsContract extends DatabaseContract {

  private static final Duration LATELY = Duration.ofMinutes(1);
  private static final Instant STARTED = Instant.parse("2026-11-01T10:00:00Z");
  private static final int MANY = 100;

  private InstanceReports instances() {
    return database().instances();
  }

  private static InstanceReport report(String instance) {
    return new InstanceReport(
        instance, "1.0", STARTED, List.of(), List.of(), LatencyHistogram.NONE);
  }

  private Stream<InstanceReport> latest(int max) {
    return instances().latest(LATELY, max).stream().map(SeenInstance::report);
  }

  @Test
  void a_report_is_read_as_it_was_stored() {
    var report =
        new InstanceReport(
            "host:8080",
            "2.1",
            STARTED,
            List.of(0, 3),
            List.of(new RecoveryStatus("It's \"one\"", null), new RecoveryStatus("two", 40)),
            new LatencyHistogram(List.of(7L, 0L, 5_000_000_000L)));

    instances().store(report);

    var seen = instances().latest(LATELY, MANY);
    assertThat(seen).extracting(SeenInstance::report).containsExactly(report);
    assertThat(seen.getFirst().age()).isBetween(Duration.ZERO, LATELY);
  }

  @Test
  void a_later_report_replaces_the_earlier_one_of_the_instance() {
    var later =
        new InstanceReport(
            "a",
            "2.0",
            STARTED.plusSeconds(60),
            List.of(1),
            List.of(),
            new LatencyHistogram(List.of(1L)));
    instances().store(report("a"));
    instances().store(report("b"));

    instances().store(later);

    assertThat(latest(MANY)).containsExactly(later, report("b"));
  }

  @Test
  void of_many_instances_those_that_reported_last_are_read_by_name() throws InterruptedException {
    for (var name : List.of("c", "b", "a")) {
      instances().store(report(name));
      // Times are compared, and stored to the millisecond.
      Thread.sleep(2);
    }

    assertThat(latest(2)).containsExactly(report("a"), report("b"));
  }

  @Test
  void old_reports_are_not_read_and_can_be_removed() throws InterruptedException {
    instances().store(report("old"));
    Thread.sleep(20);
    instances().store(report("new"));
    var age = Duration.ofMillis(10);

    assertThat(instances().latest(age, MANY))
        .extracting(seen -> seen.report().instance())
        .doesNotContain("old");
    instances().forget(LATELY);
    assertThat(latest(MANY)).hasSize(2);
    instances().forget(age);
    assertThat(latest(MANY)).doesNotContain(report("old"));
  }
}
