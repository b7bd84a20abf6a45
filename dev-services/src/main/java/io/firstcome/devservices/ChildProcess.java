package io.firstcome.devservices;

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
 * <p>Three things keep it from being left over. It runs in a session of its own where the machine
 * has {@code setsid}, so that Ctrl-C reaches only this JVM, which then stops its children in order.
 * Beside it runs a shell that waits for a line from this JVM and, reading end-of-file instead,
 * knows that this JVM was killed, and kills the program. And a pid file lets the next start in the
 * folder find what escaped that too (the moment between the two starts, or a killed shell).
 */
final class ChildProcess {

  /**
   * Keeps every child reachable: when a Process is collected its streams are closed, and the shell
   * beside it would take that for the end of this JVM.
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
   * What to run: the command line, and what to add to (or, by an empty value, take from) the
   * environment.
   */
  record Command(List<String> words, Map<String, String> environment) {

    Command(List<String> words) {
      this(words, Map.of());
    }
  }

  /**
   * Starts the program in the folder, with its output appended to the log. What a file of the same
   * name remembers must have been ended before, see {@link LeftOver#end(Path)}.
   */
  static ChildProcess start(Command command, Path folder, Path pidFile, Path log) {
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

  /** Tells the shell beside the program that there is nothing to kill any more. */
  private void release() {
    try (var toGuard = guard.getOutputStream()) {
      toGuard.write('\n');
    } catch (IOException e) {
      // It is gone, as is the program: nothing is left to tell.
    }
    RUNNING.remove(this);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Of a process that has ended. */
  int exitCode() {
    return process.exitValue();
  }

  Path pidFile() {
    return pidFile;
  }

  /** SIGKILL for the process and its descendants; returns when all are gone. */
  void kill() {
    Processes.killTree(process.toHandle(), KILL_LIMIT);
    awaitEnd(KILL_LIMIT);
    forget();
  }

  /** SIGSTOP for the process, so that it starts no more, then for its descendants. */
  void pause() {
    signalTree("STOP");
  }

  /** SIGCONT for the process and its descendants. */
  void resume() {
    signalTree("CONT");
  }

  private void signalTree(String signal) {
    Processes.signal(process.pid(), signal);
    process.descendants().forEach(child -> Processes.signal(child.pid(), signal));
  }

  /**
   * Sends a signal (a name as {@code kill} takes it) and kills what has not ended in time. One that
   * is paused goes on first: it would not take the signal.
   */
  void stop(String signal, Duration limit) {
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

  private void forget() {
    try {
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
