package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.service.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The process of the bare server: Spring MVC on virtual threads with the libraries of the service,
 * the no-op and the strategies of the lab.
 */
public final class BareService implements AutoCloseable {

  private static final String MAIN = ServiceStack.ADDED + "BareApplication";

  /**
   * As many carriers of virtual threads as the service has on a machine with few processors. The
   * operating system schedules by thread, so a program with fewer threads would get less processor
   * time.
   */
  private static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism=16";

  private static final Duration READY_LIMIT = Duration.ofMinutes(1);

  private final ServiceProcess process;

  private BareService(ServiceProcess process) {
    this.process = process;
  }

  /**
   * Starts the server and returns when it accepts requests.
   *
   * @param name of the servers
   * @param servers whose Redis and database the strategies empty
   */
  public static BareService start(BenchFolder home, String name, DevServices servers) {
    Path folder = home.service(name).resolve("bare");
    var bare =
        new BareService(
            ServiceProcess.start(
                home.program(MAIN, folder, servers)
                    .withEnvironment(everyPrivilege(servers))
                    .withJvmOptions(ServiceStack.LEAST_HEAP, ServiceStack.MOST_HEAP, CARRIERS)));
    try {
      bare.process.awaitReady(READY_LIMIT);
      return bare;
    } catch (RuntimeException e) {
      bare.close();
      throw e;
    }
  }

  /** The strategies create tables and keys of their own. */
  private static Map<String, String> everyPrivilege(DevServices servers) {
    return Map.of(
        "SPRING_DATASOURCE_USERNAME", servers.postgres().user(),
        "SPRING_DATA_REDIS_USERNAME", "",
        "SPRING_DATA_REDIS_PASSWORD", "");
  }

  public String url(String path) {
    return process.url() + path;
  }

  /**
   * Opens a strategy with this number of slots.
   *
   * @return the URL for claims
   */
  public String open(String strategy, int quantity) {
    var _ = HttpCalls.put(url(path(strategy) + "?quantity=" + quantity));
    return url(path(strategy) + "/claims");
  }

  /** Waits until all wins are rows, ends the strategy, and returns the number of rows. */
  public long settle(String strategy) {
    return Long.parseLong(HttpCalls.delete(url(path(strategy))));
  }

  private static String path(String strategy) {
    return "/strategies/" + strategy;
  }

  @Override
  public void close() {
    process.close();
  }
}
