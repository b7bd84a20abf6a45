package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The process that a pid file records: its pid and its start time, since the system may have reused
 * the pid.
 *
 * @param startedAt epoch milliseconds, 0 if the system does not report it
 */
public record LeftOver(long pid, long startedAt) {

  /** The system derives start times from the clock and the boot time, which varies slightly. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  LeftOver(ProcessHandle process) {
    this(process.pid(), process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
  }

  void write(Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(unfinished, "%d %d%n".formatted(pid, startedAt));
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Ends the process that the file records, if it still runs, and deletes the file. */
  public static void end(Path file) {
    try {
      if (!Files.exists(file)) {
        return;
      }
      read(file)
          .flatMap(recorded -> recorded.find(file.toAbsolutePath().resolveSibling("")))
          .ifPresent(process -> Processes.killTree(process, END_LIMIT));
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<LeftOver> read(Path file) throws IOException {
    List<String> words = List.of(Files.readString(file).strip().split(" ", -1));
    try {
      return Optional.of(
          new LeftOver(Long.parseLong(words.getFirst()), Long.parseLong(words.getLast())));
    } catch (NumberFormatException e) {
      // Truncated by a full disk or a crash of the machine: then the process has ended as well.
      return Optional.empty();
    }
  }

  /** The running process, if its start time matches or its command line contains the folder. */
  private Optional<ProcessHandle> find(Path folder) {
    return ProcessHandle.of(pid)
        .filter(process -> !Processes.isGone(process))
        .filter(process -> startTimeMatches(process) || commandContains(process, folder));
  }

  private boolean startTimeMatches(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .map(start -> Math.abs(start.toEpochMilli() - startedAt) <= TOLERANCE.toMillis())
        .orElse(false);
  }

  private static boolean commandContains(ProcessHandle process, Path folder) {
    return process.info().commandLine().map(line -> line.contains(folder.toString())).orElse(false);
  }
}
