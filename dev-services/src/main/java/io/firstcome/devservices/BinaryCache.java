package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Programs taken out of their jars, kept for all later starts.
 *
 * <p>Those of libraries are in {@code ~/.cache/firstcome}: under the user's home because a folder
 * of a known name in the shared temporary one could be filled by somebody else first.
 */
final class BinaryCache {

  /** Puts the program's files into an empty folder. */
  interface Extraction {
    void into(Path folder) throws IOException;
  }

  private BinaryCache() {}

  /** The folder of this name, filled on first use. Several JVMs may do so at the same time. */
  static Path folder(String name, Extraction extraction) {
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "firstcome");
    return folder(cache, name, extraction);
  }

  /** The same under another folder than the user's. */
  static Path folder(Path cache, String name, Extraction extraction) {
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
      // Another JVM was first; its folder is as good.
      Folders.delete(unfinished);
    }
  }

  static String system() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")
        ? "Darwin"
        : "Linux";
  }

  static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }
}
