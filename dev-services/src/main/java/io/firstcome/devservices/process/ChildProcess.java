package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A program that this JVM started and that ends with it.
 *
 * <p>Three mechanisms ensure this. The program runs in its own session if {@code setsid} is
 * installed, so that Ctrl-C reaches only this JVM, which then stops its children in order. A guard,
 * a shell process, waits for a line from this JVM; if it reads end-of-file instead, this JVM was
 * killed, and the guard kills the program. A pid file lets the next start in the folder end a
 * program that still runs because this JVM was killed before it started the guard, or because the
 * guard was killed.
 */
public final class ChildProcess {

  /**
   * Keeps every child reachable: garbage collection of a Process closes its streams, which the
   * guard would interpret as the end of this JVM.
   */
  private static final Set<ChildProcess> RUNNING = ConcurrentHashMap.newKeySet();

  private static final String KILL_AT_END_OF_FILE = "read -r line || kill -9 \"$1\"";
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final Process process;
  private final Process guard;
  private final Path pidFile;

  private ChildProcess(Process process, Process guard, Path pidFile) {
    this.process = process;
    this.guard = guard;
    this.pidFile = pidFile;
  }

  /**
   * The command line to run, and the environment variables to set or, with an empty value, to
   * remove.
   */
  public record Command(List<String> words, Map<String, String> environment) {

    public Command(List<String> words) {
      this(words, Map.of());
    }
  }

  /**
   * Starts the program in the folder and appends its output to the log. The process that an
   * existing pid file records must be ended before, see {@link LeftOver#end(Path)}.
   */
  public static ChildProcess start(Command command, Path folder, Path pidFile, Path log) {
    try {
      Process process = inOwnSession(command.words(), folder, command.environment(), log).start();
      new LeftOver(process.toHandle()).write(pidFile);
      Process guard =
          inOwnSession(
                  List.of("sh", "-c", KILL_AT_END_OF_FILE, "guard", Long.toString(process.pid())),
                  folder,
                  Map.of(),
                  log)
              .start();
      ChildProcess child = new ChildProcess(process, guard, pidFile);
      RUNNING.add(child);
      var _ = process.onExit().thenRun(child::release);
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command.words().getFirst(), e);
    }
  }

  private static ProcessBuilder inOwnSession(
      List<String> words, Path folder, Map<String, String> environment, Path log) {
    List<String> line = new ArrayList<>();
    Programs.find("setsid").ifPresent(setsid -> line.add(setsid.toString()));
    line.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    environment.forEach((name, value) -> {
      if (value.isEmpty()) {
        builder.environment().remove(name);
      } else {
        builder.environment().put(name, value);
      }
    });
    return builder;
  }

  /** Ends the guard after the program has ended. */
  private void release() {
    try (var toGuard = guard.getOutputStream()) {
      toGuard.write('\n');
    } catch (IOException e) {
      // The guard has already ended, as has the program.
    }
    RUNNING.remove(this);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Only for a process that has ended. */
  public int exitCode() {
    return process.exitValue();
  }

  Path pidFile() {
    return pidFile;
  }

  /** SIGKILL for the process and its descendants; returns when all are gone. */
  public void kill() {
    Processes.killTree(process.toHandle(), KILL_LIMIT);
    awaitEnd(KILL_LIMIT);
    deletePidFile();
  }

  /** SIGSTOP for the process, so that it starts no further children, then for its descendants. */
  public void pause() {
    signalTree("STOP");
  }

  /** SIGCONT for the process and its descendants. */
  public void resume() {
    signalTree("CONT");
  }

  private void signalTree(String signal) {
    Processes.signal(process.pid(), signal);
    process.descendants().forEach(child -> Processes.signal(child.pid(), signal));
  }

  /**
   * Sends a signal (named as for {@code kill}) and kills the process if it has not ended within the
   * limit. A paused process is resumed first, since it would not handle the signal.
   */
  public void stop(String signal, Duration limit) {
    if (process.isAlive()) {
      resume();
      Processes.signal(process.pid(), signal);
      awaitEnd(limit);
    }
    kill();
  }

  private boolean awaitEnd(Duration limit) {
    return Waiting.until(limit, () -> !process.isAlive());
  }

  private void deletePidFile() {
    try {
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
