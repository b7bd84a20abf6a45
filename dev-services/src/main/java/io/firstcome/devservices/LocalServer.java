package io.firstcome.devservices;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs as a child of this JVM, with its data, port number, pid file and log in one
 * folder. Its lifecycle is the same for all; the subclasses know the program.
 */
abstract sealed class LocalServer implements BackingServer, AutoCloseable
    permits LocalPostgres, LocalRedis, LocalSentinel, LocalRabbitMq, LocalQpid {

  static final String USER = "firstcome";
  static final String PASSWORD = "firstcome";

  private static final String PID_FILE = "pid";

  /** The slowest needs five seconds on two idle cores; a busy build machine may need many more. */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  /**
   * A start can fail for what the last run left behind and is about to go, such as the shared
   * memory of PostgreSQL, or for a port that somebody else has taken a moment ago.
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
  static void endLeftOver(Path folder) {
    LeftOver.end(folder.resolve(PID_FILE));
  }

  /** What is needed before each start: data folders, configuration, helpers. */
  abstract void prepare();

  abstract ChildProcess.Command command();

  /** Whether it takes requests now. */
  abstract boolean answers();

  /** Checks and set-up that need the server to answer; called after each start. */
  void started() {}

  /** The signal for a clean and quick end. */
  String stopSignal() {
    return "TERM";
  }

  /** Ends what the server itself has started beside it; called after each end. */
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

  final synchronized void start() {
    endLeftOver(folder);
    if (!Waiting.until(PORT_LIMIT, () -> Ports.isFree(port))) {
      throw new IllegalStateException(
          "%s cannot have its port back: %d is taken".formatted(name, port));
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
