package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The metrics of a running instance. */
class MetricsIT {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(firstcome_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (firstcome_[a-z_]+) ([a-z]+)$");

  private final World world = World.get();

  @Test
  void each_metric_has_the_documented_name_and_type() throws IOException {
    var documented =
        ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")))
            .results()
            .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));

    var served =
        TYPE.matcher(scrape())
            .results()
            // Of the largest value of a summary or histogram.
            .filter(type -> !type.group(1).endsWith("_max"))
            .collect(Collectors.toMap(type -> type.group(1), type -> type.group(2)));

    assertThat(documented).containsAllEntriesOf(served);
    assertThat(served)
        .containsAllEntriesOf(
            Map.of(
                "firstcome_claim_latency_seconds", "histogram",
                "firstcome_record_latency_seconds", "histogram",
                "firstcome_outbox_oldest_age_seconds", "gauge",
                "firstcome_recovery_stopped_total", "counter"));
  }

  @Test
  void the_percentiles_of_claims_can_be_computed() {
    double before = count("firstcome_claim_latency_seconds_bucket", "le=\"60.0\"");

    world.send(Call.claim(world.define(aCoupon())).as(Users.one()));

    assertThat(count("firstcome_claim_latency_seconds_bucket", "le=\"60.0\""))
        .isGreaterThan(before);
    Await.until(
        SOON,
        "a claim that was recorded",
        () -> count("firstcome_record_latency_seconds_bucket", "le=\"60.0\"") > 0);
  }

  @Test
  void the_backlog_of_each_partition_is_measured() {
    for (int partition = 0; partition < 4; partition++) {
      var label = "partition=\"%d\"".formatted(partition);
      Await.until(
          SOON, label + " has no backlog", () -> has("firstcome_handoff_depth{" + label + "} 0.0"));
      assertThat(has("firstcome_handoff_oldest_age_seconds{" + label + "} 0.0")).isTrue();
      assertThat(has("firstcome_partition_open{" + label + "} 1.0")).isTrue();
    }
    Await.until(SOON, "no event waits", () -> has("firstcome_outbox_oldest_age_seconds 0.0"));
  }

  @Test
  void an_open_coupon_has_series_of_what_is_left() {
    var coupon =
        world.define(
            aCoupon()
                .withTotal(3)
                // Of the many coupons of other tests, it has opened last.
                .with("opensAt", "\"" + Instant.now().minusSeconds(1) + "\""));
    world.send(Call.claim(coupon).as(Users.one()));

    var label = "{coupon=\"%s\"}".formatted(coupon);
    Await.until(
        SOON,
        "two slots are left",
        () ->
            has("firstcome_coupon_remaining" + label + " 2.0")
                && has("firstcome_coupon_quantity" + label + " 3.0"));
    assertThat(count("firstcome_coupon_open_time_seconds", label)).isPositive();
  }

  @Test
  void dead_letters_and_the_cap_of_the_log_are_known() {
    Await.until(
        SOON,
        "a number of dead letters",
        () -> scrape().lines().anyMatch(line -> line.matches("firstcome_dead_letters [0-9.]+")));
    assertThat(has("firstcome_handoff_cap 10000.0")).isTrue();
  }

  private boolean has(String line) {
    return scrape().lines().anyMatch(line::equals);
  }

  private double count(String name, String label) {
    return World.metric(world.service(), name, label);
  }

  private String scrape() {
    return World.manage(world.service(), "/actuator/prometheus").body();
  }
}
