package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Signals and ends of processes, also of those that are not children of this JVM. */
final class Processes {

  private Processes() {}

  /** Java itself can send only SIGTERM and SIGKILL; the shell has a {@code kill} everywhere. */
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

  /** Kills a process and its descendants and waits, within the limit, until they are gone. */
  static void killTree(ProcessHandle root, Duration limit) {
    List<ProcessHandle> all = Stream.concat(Stream.of(root), root.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Waiting.until(limit, () -> all.stream().allMatch(Processes::isGone));
  }

  /**
   * The processes of a program that work in the folder, children of ours or not. Empty on systems
   * without a /proc that tells.
   */
  static List<ProcessHandle> workingIn(Path folder, String program) {
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
      // It has just ended, or is not ours to look at.
      return Optional.empty();
    }
  }

  /**
   * Gone, or dead and only not yet collected by its parent, which in some containers nobody does. A
   * process whose first thread is dead but others are not still has its ports and files.
   */
  static boolean isGone(ProcessHandle process) {
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
