package io.firstcome.systemtests.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;

/**
 * Finds class files before their classes are loaded: in folders, in jars, and in what a Spring Boot
 * jar packs into itself, of which only our own jars are opened.
 */
final class ClassPath {

  private static final String PACKED_CLASSES = "BOOT-INF/classes/";
  private static final String OWN_PACKED_JARS = "BOOT-INF/lib/firstcome-";

  private ClassPath() {}

  /** The class file of that name, as {@code io/firstcome/domain/Coupon}. */
  static Optional<byte[]> find(String internalName) throws IOException {
    var file = internalName + ".class";
    for (var place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      var path = Path.of(place);
      Optional<byte[]> found =
          Files.isRegularFile(path) ? inJar(path, file) : inFolder(path.resolve(file));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<byte[]> inFolder(Path file) throws IOException {
    return Files.isRegularFile(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
  }

  private static Optional<byte[]> inJar(Path path, String file) throws IOException {
    try (var jar = new JarFile(path.toFile())) {
      for (var name : new String[] {file, PACKED_CLASSES + file}) {
        var entry = jar.getJarEntry(name);
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            return Optional.of(in.readAllBytes());
          }
        }
      }
      return inPackedJars(jar, file);
    }
  }

  private static Optional<byte[]> inPackedJars(JarFile jar, String file) throws IOException {
    for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
      var packed = all.nextElement();
      if (packed.getName().startsWith(OWN_PACKED_JARS)) {
        try (var in = new JarInputStream(jar.getInputStream(packed))) {
          for (var entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
            if (entry.getName().equals(file)) {
              return Optional.of(in.readAllBytes());
            }
          }
        }
      }
    }
    return Optional.empty();
  }
}
