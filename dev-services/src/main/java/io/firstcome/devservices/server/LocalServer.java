package io.firstcome.devservices.server;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.process.LogFile;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs as a child of this JVM, with its data, port number, pid file and log in one
 * folder. The lifecycle is the same for all servers; the subclasses define the program.
 */
public abstract sealed class LocalServer implements BackingServer, AutoCloseable
    permits LocalPostgres, LocalRedis, LocalSentinel, LocalRabbitMq, LocalQpid {

  static final String USER = "firstcome";
  static final String PASSWORD = "firstcome";

  private static final String PID_FILE = "pid";

  /**
   * The slowest server needs five seconds on two idle cores, and many more on a busy build machine.
   */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  /**
   * A start can fail temporarily: because of remains of the last run, such as the shared memory of
   * PostgreSQL, or because another process has just bound the port.
   */
  private static final int START_ATTEMPTS_MAX = 4;

  private static final Duration ATTEMPT_PAUSE = Duration.ofMillis(500);

  private static final Duration PORT_LIMIT = Duration.ofSeconds(10);

  private final String name;
  private final Path folder;
  private final int port;
  private final LogFile log;
  private @Nullable ChildProcess process;

  LocalServer(String name, Path folder) {
    this.name = name;
    this.folder = Folders.make(folder);
    this.log = new LogFile(this.folder.resolve("log"));
    endLeftOver(this.folder);
    this.port = Ports.kept(this.folder.resolve("port"));
  }

  /** Ends the server that an earlier JVM left running in the folder, if any. */
  public static void endLeftOver(Path folder) {
    LeftOver.end(folder.resolve(PID_FILE));
  }

  /** Prepares each start: data folders, configuration, helper processes. */
  abstract void prepare();

  abstract ChildProcess.Command command();

  /** Whether the server accepts requests now. */
  abstract boolean answers();

  /** Checks and set-up that need a running server; called after each start. */
  void started() {}

  /** The signal for a clean and fast shutdown. */
  String stopSignal() {
    return "TERM";
  }

  /** Ends the remaining processes of the server; called after each end. */
  void ended() {}

  final Path folder() {
    return folder;
  }

  final LogFile log() {
    return log;
  }

  @Override
  public final String host() {
    return "127.0.0.1";
  }

  @Override
  public final int port() {
    return port;
  }

  @Override
  public final synchronized long pid() {
    return running().pid();
  }

  private ChildProcess running() {
    ChildProcess child = process;
    if (child == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return child;
  }

  @Override
  public final synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  @Override
  public final synchronized void kill() {
    if (process != null) {
      process.kill();
      ended();
    }
  }

  @Override
  public final synchronized void pause() {
    running().pause();
  }

  @Override
  public final synchronized void resume() {
    running().resume();
  }

  @Override
  public final synchronized void stop() {
    if (process != null) {
      process.stop(stopSignal(), STOP_LIMIT);
      ended();
    }
  }

  @Override
  public final void close() {
    stop();
  }

  @Override
  public final synchronized void restart() {
    stop();
    start();
  }

  public final synchronized void start() {
    endLeftOver(folder);
    if (!Waiting.until(PORT_LIMIT, () -> Ports.isFree(port))) {
      throw new IllegalStateException(
          "%s cannot bind its port again: %d is in use".formatted(name, port));
    }
    prepare();
    for (int attempt = 1; ; attempt++) {
      log.rollOver();
      ChildProcess child =
          ChildProcess.start(command(), folder, folder.resolve(PID_FILE), log.file());
      process = child;
      boolean inTime = Waiting.until(START_LIMIT, () -> !child.isAlive() || answers());
      if (inTime && child.isAlive()) {
        started();
        return;
      }
      child.kill();
      if (!inTime || attempt == START_ATTEMPTS_MAX) {
        ended();
        throw new IllegalStateException(
            "%s %s; the end of %s:%n%s"
                .formatted(
                    name,
                    inTime ? "ended while it started" : "did not answer within " + START_LIMIT,
                    log.file(),
                    log.tail()));
      }
      Waiting.pause(ATTEMPT_PAUSE);
    }
  }
}
