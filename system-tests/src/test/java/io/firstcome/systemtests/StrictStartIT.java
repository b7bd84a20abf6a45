package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How the service handles servers whose settings weaken its guarantees. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class StrictStartIT {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration NOTICE_LIMIT = Duration.ofSeconds(20);
  private static final String REFUSAL = "firstcome.strict refuses to start: ";

  private static final String LAZY_REDIS = "Redis: appendfsync is everysec and should be always; ";
  private static final String LAZY_POSTGRES =
      "PostgreSQL: synchronous_commit is off and should be on; ";

  private final World world = World.get();

  @Test
  void a_strict_start_succeeds_on_servers_with_the_required_settings() {
    try (ServiceProcess strict = World.ready(startStrictly("strict-accepted", Map.of()))) {
      assertThat(doubts(strict)).isEqualTo("[]");
    }
  }

  @Test
  void a_strict_start_is_refused_with_one_log_line_that_lists_every_weakness() {
    var lazySessions =
        Map.of(
            "SPRING_DATASOURCE_URL",
            world.postgres().jdbcUrl() + "?options=-c%20synchronous_commit=off");
    fsyncOf("everysec");
    try (ServiceProcess strict = startStrictly("strict-refused", lazySessions)) {
      assertThat(strict.awaitEnd(START_LIMIT)).isNotZero();
      assertThat(errors(strict))
          .singleElement()
          .satisfies(line ->
              assertThat(line).contains(REFUSAL).contains(LAZY_REDIS).contains(LAZY_POSTGRES));
    } finally {
      fsyncOf("always");
    }
  }

  @Test
  void a_strict_start_is_refused_if_a_server_is_unreachable() {
    var noBroker = Map.of("SPRING_RABBITMQ_PORT", Integer.toString(Ports.free()));
    try (ServiceProcess strict = startStrictly("strict-unreachable", noBroker)) {
      assertThat(strict.awaitEnd(START_LIMIT)).isNotZero();
      assertThat(errors(strict))
          .singleElement()
          .satisfies(line ->
              assertThat(line).endsWith(REFUSAL + "AMQP broker: settings could not be read"));
    }
  }

  @Test
  void a_weakness_that_appears_at_run_time_is_reported_and_stops_nothing() {
    fsyncOf("everysec");
    try {
      Await.until(
          NOTICE_LIMIT,
          "the weakness is reported",
          () -> doubts(world.service()).contains(LAZY_REDIS));
      assertThat(world.service().isReady()).isTrue();
    } finally {
      fsyncOf("always");
    }
    Await.until(NOTICE_LIMIT, "no reported weakness", () -> doubts(world.service()).equals("[]"));
  }

  private void fsyncOf(String value) {
    world.redis().command("CONFIG", "SET", "appendfsync", value);
  }

  private ServiceProcess startStrictly(String name, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("FIRSTCOME_STRICT", "true");
    return world.start(name, all);
  }

  private static String doubts(ServiceProcess service) {
    return World.manage(service, "/actuator/health/servers")
        .json()
        .at("/components/serverSettings/details/doubts")
        .toString();
  }

  private static List<String> errors(ServiceProcess service) {
    try {
      return Files.readAllLines(service.logFile()).stream()
          .filter(line -> line.contains(" ERROR "))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
