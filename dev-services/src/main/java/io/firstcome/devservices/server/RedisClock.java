package io.firstcome.devservices.server;

import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.Programs;
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
 * The clock of a local Redis, which can be shifted while Redis runs. It requires libfaketime, which
 * replaces the program's time functions, and an installed Redis, since the Redis from the jar is
 * statically linked and loads no library. The monotonic clock is not shifted.
 */
public final class RedisClock {

  private static final List<Path> LIBRARY_FOLDERS = List.of(Path.of("/usr/lib"), Path.of("/lib"));

  /**
   * Loaded first, so that the program uses glibc's malloc. Debian's Redis is linked with jemalloc,
   * which reads the time before libfaketime is initialized.
   */
  private static final String MALLOC = "libc_malloc_debug.so.0";

  private static final String FAKETIME = "faketime/libfaketime.so.1";

  private final Path shift;

  private RedisClock(Path shift) {
    this.shift = shift;
  }

  /** A correct clock, whose shift is kept in a file of the folder. */
  public static RedisClock in(Path folder) {
    var clock = new RedisClock(Folders.make(folder).toAbsolutePath().resolve("clock-shift"));
    clock.shiftBy(Duration.ZERO);
    return clock;
  }

  /** Whether an installed Redis and the libraries were found on this machine. */
  public static boolean isAvailable() {
    return Programs.find("redis-server").isPresent()
        && library(MALLOC).isPresent()
        && library(FAKETIME).isPresent();
  }

  /** Sets the shift from the correct time, from now on; zero makes the clock correct. */
  public void shiftBy(Duration amount) {
    try {
      // Replaced atomically: the program reads the file each time it reads the time.
      var unfinished = shift.resolveSibling("clock-shift.new");
      Files.writeString(unfinished, "%+d".formatted(amount.toSeconds()));
      Files.move(unfinished, shift, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The environment variables for the program. */
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
                "a Redis with a shifted clock requires %s; install libfaketime".formatted(name)));
  }

  /** Each architecture has its own folder, such as {@code x86_64-linux-gnu}. */
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
