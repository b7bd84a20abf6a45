package io.firstcome.devservices.launcher;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.process.FolderLock;
import io.firstcome.devservices.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The paths of the launcher: its folder, which lasts between runs, and the packaged service.
 *
 * @param folder {@code .firstcome}, or the folder in FIRSTCOME_HOME
 * @param jar the packaged service
 */
record Home(Path folder, Path jar) {

  /** Not deleted by {@code --fresh}: the lock of this JVM, and the log of the preceding build. */
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

  /** Locks the folder for this JVM; the lock ends with the JVM, also when that is killed. */
  FolderLock lock() {
    try {
      return FolderLock.tryAcquire(folder)
          .orElseThrow(() ->
              new LauncherException(
                  "another ./firstcome runs on %s: stop it first".formatted(folder)));
    } catch (UncheckedIOException e) {
      throw new LauncherException("cannot write to %s: %s".formatted(folder, e.getMessage()));
    }
  }

  /** Deletes all data; the caller must hold the lock. */
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
