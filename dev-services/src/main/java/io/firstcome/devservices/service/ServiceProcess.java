package io.firstcome.devservices.service;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.process.LogFile;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The packaged service as a process of its own, on given servers. */
public final class ServiceProcess implements AutoCloseable {

  /** What programs send as {@code X-Gateway-Secret} to a service that was started here. */
  public static final String GATEWAY_SECRET = "development-secret-of-this-machine";

  /** The same for people. A service accepts so short a secret on loopback only. */
  private static final String SHORT_SECRET = "local";

  /** Longer than the service's own limit for finishing requests in flight. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(35);

  private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);

  /** Environment variables of the caller that would override the settings given to the service. */
  private static final List<String> FOREIGN_PREFIXES =
      List.of(
          "SPRING_DATASOURCE_",
          "SPRING_DATA_REDIS_",
          "SPRING_RABBITMQ_",
          "SERVER_",
          "MANAGEMENT_",
          "FIRSTCOME_");

  private final ServiceSettings settings;
  private final ServiceProgram program;
  private final int port;
  private final int managementPort = Ports.free();
  private final LogFile log;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PROBE_LIMIT).build();
  private @Nullable ChildProcess process;
  private volatile boolean wasReady;

  private ServiceProcess(ServiceSettings settings) {
    this.settings = settings;
    this.program = ServiceProgram.of(settings.jar());
    this.port = settings.port() == 0 ? Ports.free() : settings.port();
    this.log = new LogFile(settings.folder().resolve("service.log"));
  }

  /**
   * Ends a service that an earlier JVM left running in the folder, then starts the service; does
   * not wait until it is ready.
   */
  public static ServiceProcess start(ServiceSettings settings) {
    if (!Files.isRegularFile(settings.jar())) {
      throw new IllegalStateException("the service is not built: no " + settings.jar());
    }
    Folders.make(settings.folder());
    endLeftOver(settings.folder());
    ServiceProcess service = new ServiceProcess(settings);
    service.launch();
    return service;
  }

  /** Ends a service that an earlier, killed JVM started in this folder, if it still runs. */
  public static void endLeftOver(Path folder) {
    LeftOver.end(pidFile(folder));
  }

  private synchronized void launch() {
    wasReady = false;
    log.rollOver();
    List<String> words = new ArrayList<>(settings.host().enter());
    words.addAll(program.command(settings.jvmOptions(), settings.addition(), exitArchive()));
    process =
        ChildProcess.start(
            new ChildProcess.Command(words, environment()),
            settings.folder(),
            pidFile(settings.folder()),
            log.file());
  }

  private Map<String, String> environment() {
    Map<String, String> all = new HashMap<>();
    System.getenv().keySet().stream()
        .filter(name -> FOREIGN_PREFIXES.stream().anyMatch(name::startsWith))
        .forEach(name -> all.put(name, ""));
    all.put("SPRING_DATASOURCE_URL", settings.postgres().jdbcUrl());
    all.put("SPRING_DATASOURCE_USERNAME", settings.postgres().serviceUser());
    all.put("SPRING_DATASOURCE_PASSWORD", settings.postgres().password());
    all.put("SPRING_FLYWAY_USER", settings.postgres().ownerUser());
    all.put("SPRING_FLYWAY_PASSWORD", settings.postgres().password());
    all.put("SPRING_DATA_REDIS_HOST", settings.redis().host());
    all.put("SPRING_DATA_REDIS_PORT", Integer.toString(settings.redis().port()));
    all.put("SPRING_DATA_REDIS_USERNAME", settings.redis().serviceUser());
    all.put("SPRING_DATA_REDIS_PASSWORD", settings.redis().password());
    all.put("SPRING_RABBITMQ_HOST", settings.amqp().host());
    all.put("SPRING_RABBITMQ_PORT", Integer.toString(settings.amqp().port()));
    all.put("SPRING_RABBITMQ_USERNAME", settings.amqp().user());
    all.put("SPRING_RABBITMQ_PASSWORD", settings.amqp().password());
    all.put("SERVER_ADDRESS", settings.host().address());
    all.put("SERVER_PORT", Integer.toString(port));
    all.put("MANAGEMENT_SERVER_ADDRESS", settings.host().address());
    all.put("MANAGEMENT_SERVER_PORT", Integer.toString(managementPort));
    if (settings.host().equals(ServiceSettings.Host.LOOPBACK)) {
      all.put("FIRSTCOME_SECURITY_GATEWAYSECRETS", SHORT_SECRET + "," + GATEWAY_SECRET);
    } else {
      all.put("FIRSTCOME_SECURITY_GATEWAYSECRETS", GATEWAY_SECRET);
      // Its callers are in the same network.
      all.put("FIRSTCOME_PROXIES", settings.host().address() + "/24");
    }
    all.putAll(DevIssuer.in(settings.folder()).environment());
    all.put("FIRSTCOME_CODEKEYS_1", CodeKey.in(settings.folder()));
    // Most services that are started here end soon.
    all.put("FIRSTCOME_WARMUP", "0s");
    all.putAll(settings.environment());
    return all;
  }

  /**
   * Waits until the service serves claims of every coupon and requests for user coupons.
   *
   * @throws IllegalStateException if it ends before, or is not ready in time; the message quotes
   *     the end of its log
   */
  public void awaitReady(Duration limit) {
    ChildProcess child = current();
    boolean inTime = Waiting.until(limit, () -> !child.isAlive() || servesEveryRequest());
    if (!inTime || !child.isAlive()) {
      throw new IllegalStateException(
          "the service %s; the end of %s:%n%s"
              .formatted(
                  inTime ? "ended while it started" : "was not ready within " + limit,
                  log.file(),
                  log.tail()));
    }
    wasReady = true;
  }

  /**
   * Waits until it ends by itself and returns its exit code.
   *
   * @throws IllegalStateException if it still runs after the limit
   */
  public int awaitEnd(Duration limit) {
    ChildProcess child = current();
    if (!Waiting.until(limit, () -> !child.isAlive())) {
      throw new IllegalStateException("the service still runs after " + limit);
    }
    return child.exitCode();
  }

  /**
   * Waits until it is ready; the first instance of a new build is then ended, so that it writes the
   * class data sharing archive of later starts, and started again.
   */
  public void awaitReadyAndArchived(Duration limit) {
    awaitReady(limit);
    if (!program.isArchived()) {
      restart();
      awaitReady(limit);
    }
  }

  /** Whether the readiness probe reports that requests may be sent to this instance. */
  public boolean isReady() {
    return isUp("readiness");
  }

  /** Whether it serves claims of every coupon now. */
  public boolean takesClaims() {
    return isUp("claims");
  }

  /** Whether it serves requests for user coupons now. */
  public boolean servesWallets() {
    return isUp("wallets");
  }

  private boolean servesEveryRequest() {
    return isReady() && takesClaims() && servesWallets();
  }

  private boolean isUp(String group) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(managementUrl() + "/actuator/health/" + group))
            .timeout(PROBE_LIMIT)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the service", e);
    }
  }

  public String url() {
    return "http://%s:%d".formatted(settings.host().address(), port);
  }

  /** Of the health probes and the metrics. */
  public String managementUrl() {
    return "http://%s:%d".formatted(settings.host().address(), managementPort);
  }

  public int port() {
    return port;
  }

  public int managementPort() {
    return managementPort;
  }

  public long pid() {
    return current().pid();
  }

  public boolean isAlive() {
    return current().isAlive();
  }

  public Path logFile() {
    return log.file();
  }

  /** SIGTERM, a bounded wait for requests in flight, then SIGKILL. */
  public void stop() {
    current().stop("TERM", STOP_LIMIT);
    if (wasReady) {
      program.keep(exitArchive());
    }
  }

  /** SIGKILL; returns when the process has ended. */
  public void kill() {
    current().kill();
  }

  /** SIGSTOP: it keeps its connections and does nothing, as in a long pause of its machine. */
  public void pause() {
    current().pause();
  }

  /** SIGCONT; no effect on a process that is not paused. */
  public void resume() {
    current().resume();
  }

  /**
   * Starts it again on the same port, stopping it first if it runs; does not wait until it is
   * ready.
   */
  public void restart() {
    stop();
    launch();
  }

  @Override
  public void close() {
    stop();
    http.close();
  }

  private synchronized ChildProcess current() {
    ChildProcess child = process;
    if (child == null) {
      throw new IllegalStateException("the service was not started");
    }
    return child;
  }

  private Path exitArchive() {
    return settings.folder().resolve("service.jsa").toAbsolutePath();
  }

  private static Path pidFile(Path folder) {
    return folder.resolve("service.pid");
  }
}
