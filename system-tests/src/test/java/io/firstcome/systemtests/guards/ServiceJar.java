package io.firstcome.systemtests.guards;

import io.firstcome.devservices.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The packaged service, unpacked into a jar of its own classes and a folder with the jars of all
 * modules and libraries. A copy without a guard differs in one or two jars. All copies use the same
 * libraries, and the same class data sharing archive of them, which saves a fifth of each start.
 */
final class ServiceJar {

  private static final String LIBRARIES = "lib";

  private static final String MODULE = "firstcome-";

  /** The module whose classes are not in a jar among the libraries. */
  private static final String MAIN_MODULE = "bootstrap";

  private final Path jar;
  private final SharedLibraries libraries;

  private ServiceJar(Path folder, Path name) {
    this.jar = folder.resolve(name);
    this.libraries = new SharedLibraries(folder);
  }

  /** Unpacks the jar into the folder, and starts the service once to archive its libraries. */
  static ServiceJar unpacked(Path packed, Path folder) throws InterruptedException {
    JavaProgram.run(
        "-Djarmode=tools",
        "-jar",
        packed.toString(),
        "extract",
        "--force",
        "--destination",
        folder.toString());
    var unpacked = new ServiceJar(folder, packed.getFileName());
    unpacked.libraries.archive(
        unpacked.jar,
        unpacked.jars(name -> !name.startsWith(MODULE)),
        folder.resolveSibling("archiving"));
    return unpacked;
  }

  private List<Path> jars(Predicate<String> named) {
    try (var all = Files.list(jar.resolveSibling(LIBRARIES))) {
      return all.filter(file -> named.test(file.getFileName().toString())).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes a copy of the modules, with the files of the overlay if there is one; returns its jar.
   */
  Path with(@Nullable Overlay overlay, Path folder) {
    try {
      Folders.delete(folder);
      link(jar, folder.resolve(jar.getFileName()));
      libraries.linkInto(folder);
      for (var module : jars(name -> name.startsWith(MODULE))) {
        link(module, folder.resolve(LIBRARIES).resolve(module.getFileName()));
      }
      if (overlay != null) {
        for (var changed : overlay.byModule().entrySet()) {
          replace(jarOf(changed.getKey(), folder), changed.getValue());
        }
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
        Files.newDirectoryStream(folder.resolve(LIBRARIES), MODULE + module + "-*.jar")) {
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
