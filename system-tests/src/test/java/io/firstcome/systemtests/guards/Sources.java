package io.firstcome.systemtests.guards;

import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The source files of all modules, by file name. */
final class Sources {

  /** The root folder of the project, which contains all modules. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Map<String, List<Source>> main = read("main");
  private final Map<String, List<Source>> test = read("test");

  /**
   * A source file.
   *
   * @param module the name of its module's folder
   * @param path relative to the module's source or resource folder
   */
  record Source(String module, Path file, Path path) {

    boolean isJava() {
      return file.toString().endsWith(".java");
    }

    String content() {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Map<String, List<Source>> read(String kind) {
    try (var modules = Files.newDirectoryStream(ROOT, Files::isDirectory)) {
      Stream.Builder<Source> all = Stream.builder();
      for (var module : modules) {
        for (var folder : List.of("java", "resources")) {
          read(module, module.resolve("src").resolve(kind).resolve(folder), all);
        }
      }
      return all.build().collect(groupingBy(source -> source.file().getFileName().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(Path module, Path folder, Stream.Builder<Source> all)
      throws IOException {
    if (Files.isDirectory(folder)) {
      try (var files = Files.walk(folder)) {
        files
            .filter(Files::isRegularFile)
            .map(file -> new Source(module.getFileName().toString(), file, folder.relativize(file)))
            .forEach(all);
      }
    }
  }

  /**
   * The file that an edit changes; production code, never a test.
   *
   * @throws IllegalArgumentException if there is not exactly one file of this name
   */
  Source edited(Edit edit) {
    return only(main.getOrDefault(edit.fileName(), List.of()), "src/main", edit.fileName());
  }

  /**
   * The file of a test's class.
   *
   * @throws IllegalArgumentException if the module does not have exactly one file of its name
   */
  Source of(MeantTest meant) {
    var name = meant.testClass() + ".java";
    return only(
        test.getOrDefault(name, List.of()).stream()
            .filter(source -> source.module().equals(meant.module()))
            .toList(),
        meant.module(),
        name);
  }

  private static Source only(List<Source> found, String where, String name) {
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%d files in %s have the name %s".formatted(found.size(), where, name));
    }
    return found.getFirst();
  }
}
