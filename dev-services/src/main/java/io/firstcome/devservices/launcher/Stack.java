package io.firstcome.devservices.launcher;

import io.firstcome.devservices.AmqpServer;
import io.firstcome.devservices.BackingServer;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.ServiceProcess;
import io.firstcome.devservices.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The servers and the service on them, started and stopped together. */
final class Stack implements AutoCloseable {

  /** Seven seconds on two idle cores. */
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  /**
   * Half the start-up time of a service that will not run for hours; see the stack's measurements.
   */
  private static final String[] QUICK_START = {
    "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx768m"
  };

  private final Home home;
  private final Terminal terminal;
  private @Nullable DevServices services;
  private @Nullable Running running;
  private boolean closing;

  /** All four, once they are up. */
  record Running(
      PostgresServer postgres, RedisServer redis, AmqpServer amqp, ServiceProcess service) {}

  Stack(Home home, Terminal terminal) {
    this.home = home;
    this.terminal = terminal;
  }

  /** Starts everything and returns when the service is ready, at a free port. */
  Running start() {
    Running started = launch(0);
    awaitReady();
    return started;
  }

  /**
   * Starts everything and returns when the servers answer; the service is starting then.
   *
   * @param port of the service, 0 for a free one
   */
  Running launch(int port) {
    ServiceProcess.endLeftOver(home.folder());
    DevServices kit = openServices();
    boolean qpid = "qpid".equals(System.getenv("FIRSTCOME_AMQP"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var postgres = starting("postgres", kit::postgres, threads);
      var redis = starting("redis", kit::redis, threads);
      var amqp = starting("amqp", qpid ? kit::qpid : kit::amqp, threads);
      terminal.progress("starting PostgreSQL, Redis and the AMQP broker…");
      Running started = launch(postgres.join(), redis.join(), amqp.join(), port);
      terminal.progress("starting the service…");
      return started;
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Returns when the service that was launched is ready. */
  void awaitReady() {
    runningNow().service().awaitReady(READY_LIMIT);
  }

  private synchronized DevServices openServices() {
    refuseWhenClosing();
    DevServices kit = DevServices.in(home.servers());
    services = kit;
    return kit;
  }

  private synchronized Running launch(
      PostgresServer postgres, RedisServer redis, AmqpServer amqp, int port) {
    refuseWhenClosing();
    ServiceProcess service =
        ServiceProcess.start(
            ServiceSettings.of(home.jar(), home.folder(), postgres, redis, amqp)
                .withPort(port)
                .withJvmOptions(QUICK_START));
    Running all = new Running(postgres, redis, amqp, service);
    running = all;
    return all;
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

  /** Whether the part runs now; {@code false} before it was started. */
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
   * Starts one part again and returns its pid. A server answers then; the service is starting, and
   * {@link #awaitReady} waits for it.
   */
  long restart(Part part) {
    Running all = runningNow();
    return switch (part) {
      case POSTGRES -> restarted(all.postgres());
      case REDIS -> restarted(all.redis());
      case AMQP -> restarted(all.amqp());
      case SERVICE -> {
        all.service().restart();
        yield all.service().pid();
      }
    };
  }

  private static long restarted(BackingServer server) {
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
    DevServices kit;
    synchronized (this) {
      closing = true;
      all = running;
      kit = services;
      running = null;
      services = null;
    }
    if (all != null) {
      all.service().close();
    }
    if (kit != null) {
      kit.close();
    }
  }
}
