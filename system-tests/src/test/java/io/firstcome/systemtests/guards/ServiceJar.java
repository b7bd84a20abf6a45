package io.firstcome.systemtests.guards;

import io.firstcome.devservices.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * The packaged service, unpacked into a jar of its own classes and a folder with the jars of all
 * modules and libraries. A copy without a guard differs in one or two jars.
 */
final class ServiceJar {

  private static final String LIBRARIES = "lib";

  /** The module whose classes are not in a jar among the libraries. */
  private static final String MAIN_MODULE = "bootstrap";

  private final Path jar;

  private ServiceJar(Path jar) {
    this.jar = jar;
  }

  /** Unpacks the jar into the folder. */
  static ServiceJar unpacked(Path packed, Path folder) throws InterruptedException {
    var words =
        new String[] {
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Djarmode=tools",
          "-jar",
          packed.toString(),
          "extract",
          "--force",
          "--destination",
          folder.toString()
        };
    try {
      var process = new ProcessBuilder(words).inheritIO().start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(packed + " cannot be unpacked");
      }
      return new ServiceJar(folder.resolve(packed.getFileName()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a copy with the overlay's files, and returns its jar. */
  Path with(Overlay overlay, Path folder) {
    try {
      Folders.delete(folder);
      link(jar, folder.resolve(jar.getFileName()));
      try (var libraries = Files.newDirectoryStream(jar.resolveSibling(LIBRARIES))) {
        for (var library : libraries) {
          link(library, folder.resolve(LIBRARIES).resolve(library.getFileName()));
        }
      }
      for (var changed : overlay.byModule().entrySet()) {
        replace(jarOf(changed.getKey(), folder), changed.getValue());
      }
      return folder.resolve(jar.getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path file, Path link) throws IOException {
    Files.createDirectories(link.getParent());
    Files.createLink(link, file);
  }

  private Path jarOf(String module, Path folder) throws IOException {
    if (module.equals(MAIN_MODULE)) {
      return folder.resolve(jar.getFileName());
    }
    try (var found =
        Files.newDirectoryStream(
            folder.resolve(LIBRARIES), "firstcome-%s-*.jar".formatted(module))) {
      return found.iterator().next();
    }
  }

  /** Replaces the jar, a hard link to the one of the build, by a changed copy. */
  private static void replace(Path changed, Path classes) throws IOException {
    var copy = changed.resolveSibling("changed.jar");
    Files.copy(changed, copy);
    try (var content = FileSystems.newFileSystem(copy, Map.of("create", "false"));
        var files = Files.walk(classes)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var entry = content.getPath("/").resolve(classes.relativize(file).toString());
        Files.copy(file, entry, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(copy, changed, StandardCopyOption.REPLACE_EXISTING);
  }
}
