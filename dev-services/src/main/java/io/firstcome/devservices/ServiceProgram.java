package io.firstcome.devservices;

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
 * The service as it starts in half the time that its executable jar takes: unpacked beside that
 * jar, and with an archive of its classes in the form in which the JVM has them in memory.
 *
 * <p>A jar is unpacked once. The archive is left behind by the first instance that was ready and is
 * stopped, so the starts after that gain from it.
 *
 * @see <a href="https://docs.spring.io/spring-boot/reference/packaging/class-data-sharing.html">
 *     Class data sharing</a>
 */
final class ServiceProgram {

  private static final String AGENT = "-javaagent:";

  /** In the manifest of a jar that Spring Boot has packed: where in it the others are. */
  private static final Attributes.Name PACKED_JARS = new Attributes.Name("Spring-Boot-Lib");

  private final Path jar;
  private final Path archive;

  private ServiceProgram(Path jar) {
    this.jar = jar;
    this.archive = jar.resolveSibling(jar.getFileName() + ".jsa");
  }

  /**
   * Of this executable jar. One with others packed into it is unpacked now, if it was not before.
   */
  static ServiceProgram of(Path jar) {
    Path packed = jar.toAbsolutePath();
    return new ServiceProgram(
        manifest(packed).containsKey(PACKED_JARS) ? unpacked(packed) : packed);
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

  /** When the jar was written; the time it was modified is the same for every build. */
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
   * The words that start it.
   *
   * @param addition to the service, or null
   * @param leftBehind where an instance that ends by itself is to leave what may become the archive
   */
  List<String> command(
      List<String> jvmOptions, ServiceSettings.@Nullable Addition addition, Path leftBehind) {
    List<String> words = new ArrayList<>();
    words.add(jdkProgram("java"));
    words.addAll(jvmOptions);
    // A JVM with an agent has a module more, and refuses the archive of one without.
    if (jvmOptions.stream().noneMatch(option -> option.startsWith(AGENT))) {
      if (Files.exists(archive)) {
        words.add("-XX:SharedArchiveFile=" + archive);
      } else if (addition == null) {
        words.add("-XX:ArchiveClassesAtExit=" + leftBehind);
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

  /** Takes what an instance that was ready has left behind, if it has, for the archive. */
  void keep(Path leftBehind) {
    try {
      if (Files.exists(leftBehind)) {
        Files.move(leftBehind, archive, StandardCopyOption.REPLACE_EXISTING);
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
