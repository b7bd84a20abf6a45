package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Sends signals to processes and ends them, also if they are not children of this JVM. */
public final class Processes {

  private Processes() {}

  /** Uses {@code kill} of the shell, since Java itself can send only SIGTERM and SIGKILL. */
  static void signal(long pid, String signal) {
    try {
      new ProcessBuilder("sh", "-c", "kill -\"$0\" \"$1\"", signal, Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending " + signal, e);
    }
  }

  /** Kills a process and its descendants and waits, within the limit, until they have ended. */
  public static void killTree(ProcessHandle root, Duration limit) {
    List<ProcessHandle> all = Stream.concat(Stream.of(root), root.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Waiting.until(limit, () -> all.stream().allMatch(Processes::isGone));
  }

  /**
   * All processes of a program whose working directory is the folder. Empty on systems without
   * {@code /proc/PID/cwd}.
   */
  public static List<ProcessHandle> workingIn(Path folder, String program) {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().command().filter(path -> path.endsWith("/" + program)).isPresent())
        .filter(process -> folder.equals(workingFolder(process).orElse(null)))
        .toList();
  }

  private static Optional<Path> workingFolder(ProcessHandle process) {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc/%d/cwd".formatted(process.pid()))));
    } catch (IOException e) {
      // It has just ended, or this user may not read its working directory.
      return Optional.empty();
    }
  }

  /**
   * Whether the process has ended. That includes a zombie, which in some containers is never
   * reaped. A process of which only the first thread has ended still holds its ports and files: it
   * has not ended.
   */
  public static boolean isGone(ProcessHandle process) {
    if (!process.isAlive()) {
      return true;
    }
    Path proc = Path.of("/proc/%d".formatted(process.pid()));
    if (!Files.exists(proc)) {
      return !process.isAlive();
    }
    try (Stream<Path> threads = Files.list(proc.resolve("task"))) {
      String stat = Files.readString(proc.resolve("stat"));
      // The state follows the name, which is in parentheses and may hold anything.
      return stat.startsWith(" Z", stat.lastIndexOf(')') + 1) && threads.count() <= 1;
    } catch (IOException e) {
      return !process.isAlive();
    }
  }
}
