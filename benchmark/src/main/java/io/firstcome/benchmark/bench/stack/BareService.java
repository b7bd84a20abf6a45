package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Spring MVC on virtual threads and nothing around it, as a program of its own on the libraries of
 * the service: with the no-op, and with strategies of the lab.
 */
public final class BareService implements AutoCloseable {

  private static final String MAIN = ServiceStack.ADDED + "BareApplication";

  /**
   * As many carriers of virtual threads as the service gives itself on a machine with few
   * processors. The operating system shares those out by thread, so a program with fewer would be
   * short of them for that alone.
   */
  private static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism=16";

  private static final Duration READY_LIMIT = Duration.ofMinutes(1);

  private final ServiceProcess process;

  private BareService(ServiceProcess process) {
    this.process = process;
  }

  /**
   * Starts it and returns when it takes requests.
   *
   * @param name of the servers
   * @param servers whose Redis and database the strategies empty
   */
  public static BareService start(Home home, String name, DevServices servers) {
    Path folder = home.service(name).resolve("bare");
    var bare =
        new BareService(
            ServiceProcess.start(
                home.program(MAIN, folder, servers)
                    .withJvmOptions(ServiceStack.LEAST_HEAP, ServiceStack.MOST_HEAP, CARRIERS)));
    try {
      bare.process.awaitReady(READY_LIMIT);
      return bare;
    } catch (RuntimeException e) {
      bare.close();
      throw e;
    }
  }

  public String url(String path) {
    return process.url() + path;
  }

  /**
   * Opens a strategy with that many pieces.
   *
   * @return where users claim
   */
  public String open(String strategy, int pieces) {
    var _ = HttpCalls.put(url(path(strategy) + "?pieces=" + pieces));
    return url(path(strategy) + "/claims");
  }

  /** Ends the strategy when all that was won has its row, and gives how many rows there are. */
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
