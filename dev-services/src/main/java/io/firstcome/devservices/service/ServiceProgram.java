package io.firstcome.devservices.service;

import io.firstcome.devservices.process.BinaryCache;
import io.firstcome.devservices.process.Folders;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program files of the service for a start in half the time of its executable jar: unpacked
 * beside that jar, and with a class data sharing archive.
 *
 * <p>A jar is unpacked once. The first instance that became ready writes the archive when it is
 * stopped; later starts use it. A jar that was unpacked already is a variant for a few tests, for
 * which that would take too long. Variants can share an archive of their libraries: a file {@value
 * #LIBRARIES} beside the jar, or a link to one, names the libraries in its manifest, and the
 * archive is beside that file.
 *
 * @see <a href="https://docs.spring.io/spring-boot/reference/packaging/class-data-sharing.html">
 *     Class data sharing</a>
 */
final class ServiceProgram {

  private static final String AGENT = "-javaagent:";
  private static final String LIBRARIES = "libraries.jar";

  /** The manifest attribute with which Spring Boot names the folder of nested jars. */
  private static final Attributes.Name PACKED_JARS = new Attributes.Name("Spring-Boot-Lib");

  private final Path jar;

  /** Before the jar on the class path, so that the archive of its libraries fits. */
  private final Optional<Path> libraries;

  private final Path archive;
  private final boolean isUnpackedHere;

  private ServiceProgram(Path jar, Optional<Path> libraries, boolean isUnpackedHere) {
    this.jar = jar;
    this.libraries = libraries;
    this.isUnpackedHere = isUnpackedHere;
    Path archived = libraries.orElse(jar);
    this.archive = archived.resolveSibling(archived.getFileName() + ".jsa");
  }

  /** The program of this executable jar; a jar with nested jars is unpacked first, once. */
  static ServiceProgram of(Path jar) {
    Path packed = jar.toAbsolutePath();
    return manifest(packed).containsKey(PACKED_JARS)
        ? new ServiceProgram(unpacked(packed), Optional.empty(), true)
        : new ServiceProgram(packed, librariesBeside(packed), false);
  }

  private static Optional<Path> librariesBeside(Path jar) {
    Path libraries = jar.resolveSibling(LIBRARIES);
    try {
      return Files.exists(libraries) ? Optional.of(libraries.toRealPath()) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path unpacked(Path packed) {
    Path cache = packed.resolveSibling("unpacked");
    return BinaryCache.folder(
            cache,
            version(packed),
            folder -> {
              deleteFormer(cache);
              unpack(packed, folder);
            })
        .resolve(packed.getFileName());
  }

  /** The change time of the jar; its modification time is the same for every build. */
  private static String version(Path jar) {
    try {
      FileTime written = (FileTime) Files.getAttribute(jar, "unix:ctime");
      return Long.toString(written.to(TimeUnit.MICROSECONDS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteFormer(Path cache) throws IOException {
    try (DirectoryStream<Path> former = Files.newDirectoryStream(cache, "[0-9]*")) {
      former.forEach(Folders::delete);
    }
  }

  private static void unpack(Path jar, Path folder) throws IOException {
    Path log = folder.resolve("unpack.log");
    int exit =
        run(
            log,
            jdkProgram("java"),
            "-Djarmode=tools",
            "-jar",
            jar.toString(),
            "extract",
            "--force",
            "--destination",
            folder.toString());
    if (exit != 0) {
      throw new IOException("%s was not unpacked: %s".formatted(jar, Files.readString(log)));
    }
  }

  /**
   * The command line that starts the service.
   *
   * @param addition classes added to the service, or null
   * @param exitArchive file to which an instance without an archive writes one at exit
   */
  List<String> command(
      List<String> jvmOptions, ServiceSettings.@Nullable Addition addition, Path exitArchive) {
    List<String> words = new ArrayList<>();
    words.add(jdkProgram("java"));
    words.add("-XX:+ExitOnOutOfMemoryError");
    words.addAll(jvmOptions);
    if (Files.exists(archive)) {
      words.add("-XX:SharedArchiveFile=" + archive);
      // A JVM with an agent has one more module than the archive, and reports that as an error.
      words.add("-Xlog:cds=off");
    } else if (addition == null && isUnpackedHere && !hasAgent(jvmOptions)) {
      words.add("-XX:ArchiveClassesAtExit=" + exitArchive);
      words.add("-Xlog:cds=off");
    }
    words.add("-cp");
    words.add(classPath(addition));
    words.add(
        addition == null || addition.main() == null
            ? manifest(jar).getValue(Attributes.Name.MAIN_CLASS)
            : addition.main());
    return words;
  }

  /** Whether the next start uses an archive. */
  boolean isArchived() {
    return Files.exists(archive);
  }

  /** An agent changes classes, and these must not be archived. */
  private static boolean hasAgent(List<String> jvmOptions) {
    return jvmOptions.stream().anyMatch(option -> option.startsWith(AGENT));
  }

  private String classPath(ServiceSettings.@Nullable Addition addition) {
    Stream<Path> added = addition == null ? Stream.empty() : addition.classPath().stream();
    return Stream.of(libraries.stream(), Stream.of(jar), added.map(Path::toAbsolutePath))
        .flatMap(paths -> paths)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Attributes manifest(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes the file that an instance wrote at exit, if there is one, the archive of later starts.
   */
  void keep(Path exitArchive) {
    try {
      if (Files.exists(exitArchive)) {
        Files.move(exitArchive, archive, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int run(Path log, String... words) throws IOException {
    try {
      return new ProcessBuilder(words)
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start()
          .waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + words[0] + " runs", e);
    }
  }

  private static String jdkProgram(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }
}
