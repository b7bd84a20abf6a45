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

/** An installed program that makes load, run to its end. */
final class Program {

  /** Beyond the time that the load itself takes. */
  private static final Duration GRACE = Duration.ofSeconds(60);

  private Program() {}

  /** The first of this name on PATH. */
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
   * Runs it and gives what it printed.
   *
   * @param time how long the load takes; a program that goes on for much longer is killed
   * @throws IllegalStateException if it fails or does not end
   */
  static String run(List<String> words, Duration time) {
    try {
      Path output = Files.createTempFile("firstcome-load-", ".out");
      try {
        Process process =
            new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = end(process, time.plus(GRACE));
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (!ended || process.exitValue() != 0) {
          throw new IllegalStateException(
              "%s %s:%n%s".formatted(words.getFirst(), ended ? "failed" : "did not end", text));
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
