package io.firstcome.systemtests.guards;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs tests, one {@link TestRun} at a time, in folders and on servers of its own.
 *
 * <p>PostgreSQL and RabbitMQ stay up between the runs of adapter tests, which make a database or
 * queues of their own. Tests of Redis restart it, and scenarios break everything: they start their
 * servers themselves.
 */
final class Lane implements AutoCloseable {

  /**
   * Seconds that a scenario waits at most for what does not come without the guard. With all guards
   * in place everything comes sooner.
   */
  private static final String PATIENCE = "40";

  private final Path folder;
  private final Path packed;
  private final ServiceJar service;
  private final Sources sources;
  private final DevServices servers;

  /**
   * @param packed the jar of the service as it was built
   */
  Lane(Path folder, Path packed, ServiceJar service, Sources sources) {
    this.folder = folder;
    this.packed = packed;
    this.service = service;
    this.sources = sources;
    var data = folder.resolve("servers");
    DevServices.endLeftOvers(data);
    Folders.delete(data);
    this.servers = DevServices.in(data);
  }

  /**
   * Runs the tests, whatever becomes of them.
   *
   * @param tests of one module
   * @param overlay what a missing guard changes, or null with all guards in place
   * @param limit after which they are ended
   */
  Map<MeantTest, Outcome> run(
      List<MeantTest> tests, @Nullable Overlay overlay, Path log, Duration limit)
      throws InterruptedException {
    var module = tests.getFirst().module();
    var run = new TestRun(module, sources).withEnvironment(servers(module));
    if (tests.getFirst().isScenario()) {
      var jar = overlay == null ? packed : service.with(overlay, folder.resolve("service"));
      run.withProperty("firstcome.jar", jar.toString())
          .withProperty("firstcome.work", folder.resolve("world").toString())
          .withProperty("firstcome.patience", PATIENCE);
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
