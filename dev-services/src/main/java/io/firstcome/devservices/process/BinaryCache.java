package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * A cache of programs that are extracted from jars.
 *
 * <p>Programs from libraries are in {@code ~/.cache/firstcome}, not in the shared temporary folder,
 * where another user could first create a folder of the known name.
 */
public final class BinaryCache {

  /** Puts the program's files into an empty folder. */
  public interface Extraction {
    void into(Path folder) throws IOException;
  }

  private BinaryCache() {}

  /** The folder of this name, filled on first use. Safe for concurrent use by several JVMs. */
  public static Path folder(String name, Extraction extraction) {
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "firstcome");
    return folder(cache, name, extraction);
  }

  /** As {@link #folder(String, Extraction)}, with another cache folder. */
  public static Path folder(Path cache, String name, Extraction extraction) {
    Path done = cache.resolve(name);
    if (Files.isDirectory(done)) {
      return done;
    }
    try {
      Files.createDirectories(cache);
      Path unfinished = Files.createTempDirectory(cache, "unfinished-");
      extraction.into(unfinished);
      publish(unfinished, done);
      return done;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot extract %s to %s".formatted(name, cache), e);
    }
  }

  private static void publish(Path unfinished, Path done) throws IOException {
    try {
      Files.move(unfinished, done, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(done)) {
        throw e;
      }
      // Another JVM was first; its folder is used.
      Folders.delete(unfinished);
    }
  }

  public static String system() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")
        ? "Darwin"
        : "Linux";
  }

  public static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }
}
