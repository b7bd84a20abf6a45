package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The clock of a Redis of this machine, which can be made wrong while it runs. It takes libfaketime
 * and an installed Redis: the library answers the program's questions for the time, and the Redis
 * of the jar is a static program, which loads no library. The monotonic clock stays as it is.
 */
public final class RedisClock {

  private static final List<Path> LIBRARY_FOLDERS = List.of(Path.of("/usr/lib"), Path.of("/lib"));

  /**
   * Loaded first, so that the program has glibc's malloc. jemalloc, which Debian's Redis is linked
   * with, asks for the time before libfaketime is ready to answer.
   */
  private static final String MALLOC = "libc_malloc_debug.so.0";

  private static final String FAKETIME = "faketime/libfaketime.so.1";

  private final Path shift;

  private RedisClock(Path shift) {
    this.shift = shift;
  }

  /** A right one, whose error is kept in a file of the folder. */
  static RedisClock in(Path folder) {
    var clock = new RedisClock(Folders.make(folder).toAbsolutePath().resolve("clock-shift"));
    clock.shiftBy(Duration.ZERO);
    return clock;
  }

  /** Whether this machine has what it takes. */
  public static boolean isAvailable() {
    return Programs.find("redis-server").isPresent()
        && library(MALLOC).isPresent()
        && library(FAKETIME).isPresent();
  }

  /** Makes the clock wrong by so much, from now on; zero makes it right. */
  public void shiftBy(Duration amount) {
    try {
      // Replaced as a whole: the program reads it each time it asks for the time.
      var unfinished = shift.resolveSibling("clock-shift.new");
      Files.writeString(unfinished, "%+d".formatted(amount.toSeconds()));
      Files.move(unfinished, shift, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the program's environment must say. */
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", required(MALLOC) + " " + required(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE", shift.toString(),
        "FAKETIME_NO_CACHE", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "DONT_FAKE_MONOTONIC", "1");
  }

  private static Path required(String name) {
    return library(name)
        .orElseThrow(() ->
            new IllegalStateException(
                "a Redis with a wrong clock takes %s; install libfaketime".formatted(name)));
  }

  /** In a folder of its own for each architecture, such as {@code x86_64-linux-gnu}. */
  private static Optional<Path> library(String name) {
    return LIBRARY_FOLDERS.stream()
        .flatMap(RedisClock::folders)
        .map(folder -> folder.resolve(name))
        .filter(Files::exists)
        .findFirst();
  }

  private static Stream<Path> folders(Path parent) {
    try (var all = Files.list(parent)) {
      return all.filter(folder -> folder.toString().contains("-linux-gnu")).toList().stream();
    } catch (IOException e) {
      return Stream.of();
    }
  }
}
