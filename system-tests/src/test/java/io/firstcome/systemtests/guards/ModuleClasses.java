package io.firstcome.systemtests.guards;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The build output of a module: its classes, and the class path of its tests. */
final class ModuleClasses {

  /** Written by the profile {@code guards}. */
  private static final String TEST_CLASS_PATH = "test-class-path";

  private final Path folder;

  private ModuleClasses(Path folder) {
    this.folder = folder;
  }

  static ModuleClasses of(String module) {
    return new ModuleClasses(Sources.ROOT.resolve(module));
  }

  /** The module's folder, in which its tests are run. */
  Path folder() {
    return folder;
  }

  /** The class path of the module's tests, with the test classes first. */
  List<Path> testClassPath() {
    try {
      var libraries = Files.readString(folder.resolve("target").resolve(TEST_CLASS_PATH)).strip();
      return Stream.concat(
              Stream.of(testClasses(), classes()),
              Arrays.stream(libraries.split(File.pathSeparator)).map(Path::of))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no class path file: the profile 'guards' writes it", e);
    }
  }

  /** Whether an entry of a class path is the build output of the module's own sources. */
  boolean isMadeInto(Path entry) {
    return entry.startsWith(folder.resolve("target")) && !entry.equals(testClasses());
  }

  /** The folder of the main classes. */
  Path classes() {
    return folder.resolve("target").resolve("classes");
  }

  private Path testClasses() {
    return folder.resolve("target").resolve("test-classes");
  }

  static String joined(List<Path> classPath) {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
