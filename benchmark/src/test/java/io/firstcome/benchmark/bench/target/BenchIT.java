package io.firstcome.benchmark.bench.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.firstcome.benchmark.bench.BenchRun;
import io.firstcome.benchmark.bench.Targets;
import io.firstcome.benchmark.bench.report.Machine;
import io.firstcome.benchmark.bench.report.ReportJson;
import io.firstcome.benchmark.bench.stack.BenchFolder;
import io.firstcome.benchmark.bench.stack.ServiceStack.Pipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Some targets with small numbers on real servers. The figures have no meaning. The others take too
 * long for a test; {@code StrategiesIT} checks the strategies of the race.
 */
@Tag("slow")
class BenchIT {

  /**
   * Whole seconds for loads over HTTP: the service has just started, concurrent with other tests.
   */
  private static final Scale TINY = tiny(Duration.ofSeconds(2));

  @Test
  void targets_over_http_and_on_redis(@TempDir Path work) throws InterruptedException {
    BenchFolder home = new BenchFolder(Path.of(System.getProperty("firstcome.root")), work);
    JsonNode report;
    try (Bench bench = new Bench(home, TINY)) {
      var run = new BenchRun(bench, new Machine(2, 1, "", "", 0, 0, Map.of()), line -> {});
      run.measure(Targets.of(List.of("P3", "P8", "W1", "W3", "W6"), bench));
      report = JsonMapper.shared().readTree(ReportJson.of(run.report(Instant.EPOCH, false)));
    }

    for (String id : List.of("P8", "P8-cost", "P8-coupons", "P8-fair")) {
      requireMeasured(report, id);
    }
    if (isWrkInstalled()) {
      for (String id : List.of("P3", "W1", "W4-admit", "W4-claim", "W3", "W6")) {
        requireMeasured(report, id);
      }
      assertThat(report.path("machine").path("versions").propertyNames())
          .contains("PostgreSQL", "Redis");
    } else {
      assertThat(report.path("notMeasured").path("P3").asString()).contains("apt-get install wrk");
    }
  }

  /** Its service has settings of its own, without which it does not start. */
  @Test
  void the_service_that_removes_user_coupons_starts(@TempDir Path work) {
    BenchFolder home = new BenchFolder(Path.of(System.getProperty("firstcome.root")), work);
    try (Bench bench = new Bench(home, TINY)) {
      var past = bench.stack(Pipeline.RETAINING).addPastCoupon(20_000);

      past.awaitRemoval(Duration.ofMinutes(1));

      assertThat(past.removed()).isPositive();
    }
  }

  /** A round fails if no span arrives while traces are switched on. */
  @Test
  void the_traces_of_a_service_can_be_switched_off_and_on(@TempDir Path work)
      throws InterruptedException {
    assumeTrue(isWrkInstalled(), "apt-get install wrk");
    BenchFolder home = new BenchFolder(Path.of(System.getProperty("firstcome.root")), work);
    // Long enough that one per cent of the claims is some, however slow the machine is.
    try (Bench bench = new Bench(home, tiny(Duration.ofSeconds(8)))) {
      var target = new TracedClaims(bench);
      target.prepare();

      assertThat(target.round()).hasSameSizeAs(target.measures());
    }
  }

  private static Scale tiny(Duration load) {
    return new Scale(
        "tiny",
        2,
        1,
        Duration.ofSeconds(5),
        load,
        Duration.ofSeconds(1),
        1_000,
        1_000,
        100,
        2_000,
        10,
        20,
        10,
        5,
        200,
        10,
        20);
  }

  private static void requireMeasured(JsonNode report, String id) {
    JsonNode target = report.path("targets").path(id);
    assertThat(target.path("rounds").size())
        .as("rounds of %s in %s", id, report)
        .isEqualTo(TINY.rounds());
    assertThat(target.path("ratio").isNumber()).as("ratio of %s", id).isTrue();
  }

  private static boolean isWrkInstalled() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "wrk")));
  }
}
