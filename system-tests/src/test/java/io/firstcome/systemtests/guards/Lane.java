package io.firstcome.systemtests.guards;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs tests, one {@link TestRun} at a time, in folders and on servers of its own.
 *
 * <p>PostgreSQL and RabbitMQ keep running between the runs of adapter tests, which create their own
 * database or queues. Tests of Redis and scenarios restart or break their servers, so they start
 * their own.
 */
final class Lane implements AutoCloseable {

  private final Path folder;
  private final ServiceJar service;
  private final Sources sources;
  private final DevServices servers;

  Lane(Path folder, ServiceJar service, Sources sources) {
    this.folder = folder;
    this.service = service;
    this.sources = sources;
    var data = folder.resolve("servers");
    DevServices.endLeftOvers(data);
    Folders.delete(data);
    this.servers = DevServices.in(data);
  }

  /**
   * Runs the tests and returns all outcomes.
   *
   * @param tests of one module
   * @param overlay the files that differ without a guard, or null with all guards in place
   * @param patience the longest time that a scenario waits for a condition
   * @param limit the time after which the run is ended
   */
  Map<MeantTest, Outcome> run(
      List<MeantTest> tests, @Nullable Overlay overlay, Duration patience, Path log, Duration limit)
      throws InterruptedException {
    var module = tests.getFirst().module();
    var run = new TestRun(module, sources).withEnvironment(servers(module));
    if (tests.getFirst().isScenario()) {
      var jar = service.with(overlay, folder.resolve("service"));
      run.withProperty("firstcome.jar", jar.toString())
          .withProperty("firstcome.work", folder.resolve("world").toString())
          .withProperty("firstcome.patience", Long.toString(patience.toSeconds()));
    } else if (overlay != null) {
      run.with(overlay);
    }
    return run.run(tests, log, limit);
  }

  private Map<String, String> servers(String module) {
    return switch (module) {
      case "adapter-persistence" -> {
        var postgres = servers.postgres();
        yield Map.of(
            "FIRSTCOME_TEST_POSTGRES_URL",
            "%s?user=%s&password=%s"
                .formatted(postgres.jdbcUrl(), postgres.user(), postgres.password()));
      }
      case "adapter-rabbitmq" -> Map.of("FIRSTCOME_TEST_AMQP_URI", servers.rabbitmq().uri());
      default -> Map.of();
    };
  }

  @Override
  public void close() {
    servers.close();
  }
}
