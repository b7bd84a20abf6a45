package io.firstcome.benchmark.bench.load;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs an installed load generator to its end. */
final class Program {

  /** In addition to the time of the load itself. */
  private static final Duration GRACE = Duration.ofSeconds(60);

  private Program() {}

  /** The first executable of this name on PATH. */
  static Path find(String name, String debianPackage) {
    return Stream.of(
            Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new MissingProgramException(name, debianPackage));
  }

  /**
   * Runs the program and returns its output.
   *
   * @param time duration of the load; a program that runs much longer is killed
   * @throws IllegalStateException if it fails or does not end
   */
  static String run(List<String> command, Duration time) {
    try {
      Path output = Files.createTempFile("firstcome-load-", ".out");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = end(process, time.plus(GRACE));
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (!ended || process.exitValue() != 0) {
          throw new IllegalStateException(
              "%s %s:%n%s".formatted(command.getFirst(), ended ? "failed" : "did not end", text));
        }
        return text;
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean end(Process process, Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted under load", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
