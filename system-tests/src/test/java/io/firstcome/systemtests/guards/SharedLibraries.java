package io.firstcome.systemtests.guards;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * The libraries of the service, with a class data sharing archive that all variants of the service
 * use. The JVM accepts an archive if the class path begins with that of the archive. So a jar that
 * only names the libraries in its manifest comes first on the class path of each variant, see
 * {@link ServiceProcess}.
 */
final class SharedLibraries {

  private static final String NAME = "libraries.jar";
  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  private final Path folder;
  private final Path jar;

  SharedLibraries(Path folder) {
    this.folder = folder;
    this.jar = folder.resolve(NAME);
  }

  /**
   * Starts the service once, and archives the classes of libraries that it has loaded.
   *
   * @param service the jar of the service
   * @param libraries in a folder beside it
   * @param work a folder for the servers
   */
  void archive(Path service, List<Path> libraries, Path work) throws InterruptedException {
    name(libraries);
    DevServices.endLeftOvers(work);
    Folders.delete(work);
    var loaded = work.resolve("loaded.classes");
    start(service, work, "-XX:DumpLoadedClassList=" + loaded);
    JavaProgram.run(
        "-Xshare:dump",
        "-Xlog:disable",
        "-XX:SharedClassListFile=" + loaded,
        "-XX:SharedArchiveFile=" + jar + ".jsa",
        "-cp",
        jar.toString());
  }

  private void name(List<Path> libraries) {
    var manifest = new Manifest();
    var attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(
        Attributes.Name.CLASS_PATH,
        libraries.stream()
            .map(library -> folder.relativize(library).toString())
            .collect(Collectors.joining(" ")));
    try (var _ = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      // It has a manifest only.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Path service, Path work, String option) {
    try (var servers = DevServices.in(work)) {
      var settings =
          ServiceSettings.of(
                  service,
                  work.resolve("service"),
                  servers.postgres(),
                  servers.redis(),
                  servers.rabbitmq())
              .withJvmOptions("-XX:TieredStopAtLevel=1", option);
      try (var training = ServiceProcess.start(settings)) {
        training.awaitReady(READY_LIMIT);
      }
    }
  }

  /** Makes them those of a variant in that folder. */
  void linkInto(Path variant) throws IOException {
    Files.createSymbolicLink(variant.resolve(NAME), jar);
  }
}
