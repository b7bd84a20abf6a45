package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An instance executes claims before it is ready. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class WarmUpIT {

  private static final Pattern CLAIMS = Pattern.compile("warmed up by ([0-9]+) claims");

  private static final List<String> TABLES =
      List.of(
          "coupon",
          "user_coupon",
          "late_claim",
          "rejected_claim",
          "dead_letter",
          "event_outbox",
          "audit_entry");

  private final World world = World.get();

  @Test
  void an_instance_executes_claims_before_it_is_ready_and_changes_nothing() throws IOException {
    var before = stored();

    try (ServiceProcess warm = World.ready(world.start("warm", Map.of("FIRSTCOME_WARMUP", "2s")))) {
      var claims = CLAIMS.matcher(Files.readString(warm.logFile()));
      assertThat(claims.find()).as("logged before it was ready").isTrue();
      assertThat(Integer.parseInt(claims.group(1))).isGreaterThan(100);
      assertThat(stored()).isEqualTo(before);
    }
  }

  /** Long after the limit within which {@link World#ready} waits. */
  @Test
  void warming_up_ends_early_if_its_requests_are_refused() {
    var settings =
        Map.of(
            "FIRSTCOME_WARMUP",
            "10m",
            "FIRSTCOME_PROXIES",
            "192.0.2.1",
            "FIRSTCOME_LIMITS_REQUESTS_ADDRESS",
            "10");
    try (var instance = World.ready(world.start("refused-warm-up", settings))) {
      assertThat(instance.isReady()).isTrue();
    }
  }

  /** What claims leave in the servers. */
  private Map<String, String> stored() {
    Map<String, String> all = new TreeMap<>();
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      for (var table : TABLES) {
        try (var count = statement.executeQuery("SELECT count(*) FROM " + table)) {
          count.next();
          all.put(table, count.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    all.put("keys", world.redis().command("KEYS", "*{*}*").lines().sorted().toList().toString());
    for (int partition = 0; partition < 4; partition++) {
      var log = "firstcome:{%d}:handoff".formatted(partition);
      all.put(log, world.redis().command("XLEN", log).strip());
    }
    return all;
  }
}
