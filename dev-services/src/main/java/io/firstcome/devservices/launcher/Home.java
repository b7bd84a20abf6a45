package io.firstcome.devservices.launcher;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.FolderLock;
import io.firstcome.devservices.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the launcher keeps what lasts between runs.
 *
 * @param folder {@code .firstcome}, or what FIRSTCOME_HOME names
 * @param jar the packaged service
 */
record Home(Path folder, Path jar) {

  /**
   * What a fresh start leaves: the lock that it holds itself, and the log of the build before it.
   */
  private static final List<String> KEPT = List.of(FolderLock.FILE, "build.log");

  static Home of(Path root) {
    Path folder =
        Optional.ofNullable(System.getenv("FIRSTCOME_HOME"))
            .filter(text -> !text.isBlank())
            .map(Path::of)
            .orElse(root.resolve(".firstcome"));
    return new Home(
        folder.toAbsolutePath().normalize(), root.resolve("bootstrap/target/firstcome.jar"));
  }

  Path servers() {
    return folder.resolve("servers");
  }

  Path servicesFile() {
    return folder.resolve("services.json");
  }

  Path controlFile() {
    return folder.resolve("control.json");
  }

  Path sampleCouponFile() {
    return folder.resolve("sample-coupon.json");
  }

  /** The folder for this JVM alone; a killed holder holds nothing any more. */
  FolderLock lock() {
    return FolderLock.tryAcquire(folder)
        .orElseThrow(() ->
            new LauncherException(
                "another ./firstcome runs on %s: stop it first".formatted(folder)));
  }

  /** Deletes all data; only under the lock. */
  void forget() {
    DevServices.endLeftOvers(servers());
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!KEPT.contains(entry.getFileName().toString())) {
          Folders.delete(entry);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
