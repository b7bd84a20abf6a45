package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A bash process that runs pasted lines, keeps its variables, and exits at an unset variable. */
public final class Shell implements AutoCloseable {

  private static final String DONE = "[done]";

  private final Process process;
  private final Path errors;
  private final BufferedReader output;

  /**
   * @param errors the file for its standard error
   * @param limit the time after which it is killed
   */
  public Shell(Path errors, Duration limit) {
    this.errors = errors;
    try {
      Files.createDirectories(errors.toAbsolutePath().getParent());
      process = new ProcessBuilder("bash", "-u").redirectError(errors.toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output = process.inputReader(UTF_8);
    CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
        .execute(process::destroyForcibly);
  }

  /**
   * Runs the lines and returns what they print.
   *
   * @throws AssertionError if the shell ends before the lines are done
   */
  public String run(String lines) {
    StringBuilder printed = new StringBuilder();
    try {
      process.outputWriter(UTF_8).append(lines + "\nprintf '" + DONE + "'\n").flush();
      while (printed.indexOf(DONE) < 0) {
        int next = output.read();
        if (next < 0) {
          throw new AssertionError(
              "the shell has ended at:%n%s%n%s".formatted(lines, Files.readString(errors)));
        }
        printed.append((char) next);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run in the shell: " + lines, e);
    }
    return printed.substring(0, printed.indexOf(DONE));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
