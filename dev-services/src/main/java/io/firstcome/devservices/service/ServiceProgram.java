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
 * stopped; later starts use it. That takes as long as a start, so it is not done for a jar that was
 * unpacked already, such as a variant for a few tests.
 *
 * @see <a href="https://docs.spring.io/spring-boot/reference/packaging/class-data-sharing.html">
 *     Class data sharing</a>
 */
final class ServiceProgram {

  private static final String AGENT = "-javaagent:";

  /** The manifest attribute with which Spring Boot names the folder of nested jars. */
  private static final Attributes.Name PACKED_JARS = new Attributes.Name("Spring-Boot-Lib");

  private final Path jar;
  private final Path archive;
  private final boolean isUnpackedHere;

  private ServiceProgram(Path jar, boolean isUnpackedHere) {
    this.jar = jar;
    this.archive = jar.resolveSibling(jar.getFileName() + ".jsa");
    this.isUnpackedHere = isUnpackedHere;
  }

  /** The program of this executable jar; a jar with nested jars is unpacked first, once. */
  static ServiceProgram of(Path jar) {
    Path packed = jar.toAbsolutePath();
    return manifest(packed).containsKey(PACKED_JARS)
        ? new ServiceProgram(unpacked(packed), true)
        : new ServiceProgram(packed, false);
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
    // A JVM with an agent has one more module and rejects the archive of a JVM without it.
    if (jvmOptions.stream().noneMatch(option -> option.startsWith(AGENT))) {
      if (Files.exists(archive)) {
        words.add("-XX:SharedArchiveFile=" + archive);
      } else if (addition == null && isUnpackedHere) {
        words.add("-XX:ArchiveClassesAtExit=" + exitArchive);
        words.add("-Xlog:cds=off");
      }
    }
    words.add("-cp");
    words.add(classPath(addition));
    words.add(
        addition == null || addition.main() == null
            ? manifest(jar).getValue(Attributes.Name.MAIN_CLASS)
            : addition.main());
    return words;
  }

  private String classPath(ServiceSettings.@Nullable Addition addition) {
    Stream<Path> added = addition == null ? Stream.empty() : addition.classPath().stream();
    return Stream.concat(Stream.of(jar), added.map(Path::toAbsolutePath))
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
