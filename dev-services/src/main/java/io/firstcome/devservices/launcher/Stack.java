package io.firstcome.devservices.launcher;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.BackingServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The servers and the service on them, started and stopped together. */
final class Stack implements AutoCloseable {

  /** A start takes seven seconds on two idle cores. */
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  /** Halves the start-up time; for a service that does not run for hours. */
  private static final String[] QUICK_START = {
    "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx768m"
  };

  /** Variables of the caller with these prefixes are passed to the service. */
  private static final List<String> SETTINGS =
      List.of(
          "FIRSTCOME_LIMITS_",
          "FIRSTCOME_OWNERSUSE",
          "FIRSTCOME_STRICT",
          "FIRSTCOME_SECURITY_ORIGINS",
          "FIRSTCOME_PAGE_",
          "FIRSTCOME_CHALLENGE_",
          "MANAGEMENT_OPENTELEMETRY_",
          "MANAGEMENT_TRACING_");

  private final Home home;
  private final Terminal terminal;
  private @Nullable DevServices services;
  private @Nullable Running running;
  private boolean closing;

  /** The four parts, after their start. */
  record Running(
      PostgresServer postgres, RedisServer redis, AmqpServer amqp, ServiceProcess service) {}

  Stack(Home home, Terminal terminal) {
    this.home = home;
    this.terminal = terminal;
  }

  /** Starts all parts, the service at a free port, and returns when the service is ready. */
  Running start() {
    Running started = launch(0);
    awaitReady();
    return started;
  }

  /**
   * Starts all parts and returns when the servers are ready; the service may still be starting.
   *
   * @param port of the service, 0 for a free one
   */
  Running launch(int port) {
    ServiceProcess.endLeftOver(home.folder());
    DevServices devServices = openServices();
    boolean qpid = "qpid".equals(System.getenv("FIRSTCOME_AMQP"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var postgres = starting("postgres", devServices::postgres, threads);
      var redis = starting("redis", devServices::redis, threads);
      var amqp = starting("amqp", qpid ? devServices::qpid : devServices::amqp, threads);
      terminal.progress("starting PostgreSQL, Redis and the AMQP broker…");
      Running started = launch(postgres.join(), redis.join(), amqp.join(), port);
      terminal.progress("starting the service…");
      return started;
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Waits until the launched service is ready. */
  void awaitReady() {
    runningNow().service().awaitReady(READY_LIMIT);
  }

  private synchronized DevServices openServices() {
    refuseWhenClosing();
    DevServices devServices = DevServices.in(home.servers());
    services = devServices;
    return devServices;
  }

  private synchronized Running launch(
      PostgresServer postgres, RedisServer redis, AmqpServer amqp, int port) {
    refuseWhenClosing();
    var environment = new HashMap<>(ServiceSettings.PAGES);
    environment.putAll(settings(System.getenv()));
    ServiceProcess service =
        ServiceProcess.start(
            ServiceSettings.of(home.jar(), home.folder(), postgres, redis, amqp)
                .withPort(port)
                .withEnvironment(environment)
                .withJvmOptions(QUICK_START));
    Running all = new Running(postgres, redis, amqp, service);
    running = all;
    return all;
  }

  static Map<String, String> settings(Map<String, String> environment) {
    var settings = new HashMap<>(environment);
    settings.keySet().removeIf(name -> SETTINGS.stream().noneMatch(name::startsWith));
    return settings;
  }

  private <T extends BackingServer> CompletableFuture<T> starting(
      String name, Supplier<T> start, ExecutorService threads) {
    long from = System.nanoTime();
    return CompletableFuture.supplyAsync(
        () -> {
          T server = start.get();
          terminal.line(
              "  %-9s %s:%d (%s)".formatted(name, server.host(), server.port(), Units.since(from)));
          return server;
        },
        threads);
  }

  /** Whether the part is running; {@code false} before its start. */
  synchronized boolean isAlive(Part part) {
    Running all = running;
    return all != null
        && switch (part) {
          case POSTGRES -> all.postgres().isAlive();
          case REDIS -> all.redis().isAlive();
          case AMQP -> all.amqp().isAlive();
          case SERVICE -> all.service().isAlive();
        };
  }

  /**
   * Ends one part, starts it again and returns its new pid. A server is ready when this returns;
   * the service may still be starting, see {@link #awaitReady}.
   */
  long restart(Part part, Ending ending) {
    Running all = runningNow();
    return switch (part) {
      case POSTGRES -> restarted(all.postgres(), ending);
      case REDIS -> restarted(all.redis(), ending);
      case AMQP -> restarted(all.amqp(), ending);
      case SERVICE -> {
        if (ending == Ending.KILL) {
          all.service().kill();
        }
        all.service().restart();
        yield all.service().pid();
      }
    };
  }

  private static long restarted(BackingServer server, Ending ending) {
    if (ending == Ending.KILL) {
      server.kill();
    }
    server.restart();
    return server.pid();
  }

  private synchronized Running runningNow() {
    refuseWhenClosing();
    Running all = running;
    if (all == null) {
      throw new LauncherException("still starting");
    }
    return all;
  }

  private void refuseWhenClosing() {
    if (closing) {
      throw new LauncherException("stopping");
    }
  }

  synchronized boolean isClosing() {
    return closing;
  }

  /** Stops the service first, then broker, Redis and database, each within a bounded time. */
  @Override
  public void close() {
    Running all;
    DevServices devServices;
    synchronized (this) {
      closing = true;
      all = running;
      devServices = services;
      running = null;
      services = null;
    }
    if (all != null) {
      all.service().close();
    }
    if (devServices != null) {
      devServices.close();
    }
  }
}
