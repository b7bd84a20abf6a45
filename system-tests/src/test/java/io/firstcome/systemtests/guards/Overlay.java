package io.firstcome.systemtests.guards;

import io.firstcome.systemtests.guards.Sources.Source;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The class files and resources that differ when a guard is removed.
 *
 * <p>Only the edited files are compiled, against the build output of the others: so no edit may
 * change a signature, or a constant that other files use. Code is not generated again from an
 * edited migration, so tables and columns must stay.
 */
final class Overlay {

  private static final JavaCompiler COMPILER =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK has a compiler");

  private final Path folder;

  /** The folder of changed files for each module. */
  private final Map<String, Path> byModule = new TreeMap<>();

  private Overlay(Path folder) {
    this.folder = folder;
  }

  /**
   * Applies the guard's edits to the sources and compiles them.
   *
   * @param folder an empty folder
   * @throws IllegalArgumentException if an edit does not find its place
   * @throws AssertionError if an edited file does not compile
   */
  static Overlay without(Guard guard, Sources sources, Path folder) {
    var overlay = new Overlay(folder);
    try {
      for (var edited : contents(guard, sources).entrySet()) {
        overlay.add(edited.getKey(), edited.getValue());
      }
      return overlay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The files that the guard's edits change, and their contents without the guard.
   *
   * @throws IllegalArgumentException if an edit does not find its place
   */
  static Map<Source, String> contents(Guard guard, Sources sources) {
    Map<Source, String> contents = new LinkedHashMap<>();
    for (var edit : guard.edits()) {
      var source = sources.edited(edit);
      var before = contents.getOrDefault(source, source.content());
      try {
        contents.put(source, edit.appliedTo(before));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            """
            The guard file %s does not match the code: adapt it to remove the same guard from the \
            current code, or delete it if the guard no longer exists.
            %s\
            """
                .formatted(guard.name(), e.getMessage()),
            e);
      }
    }
    return contents;
  }

  private void add(Source source, String content) throws IOException {
    var classes =
        byModule.computeIfAbsent(
            source.module(), module -> folder.resolve("changed").resolve(module));
    if (source.isJava()) {
      var file = written(folder.resolve("sources").resolve(source.path()), content);
      compile(file, ModuleClasses.of(source.module()).testClassPath(), classes);
    } else {
      written(classes.resolve(source.path()), content);
    }
  }

  private static Path written(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private static void compile(Path source, List<Path> classPath, Path target) throws IOException {
    Files.createDirectories(target);
    var messages = new StringWriter();
    try (var files = COMPILER.getStandardFileManager(null, null, null)) {
      var options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-parameters",
              "-d",
              target.toString(),
              "-cp",
              ModuleClasses.joined(classPath));
      if (!COMPILER
          .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
          .call()) {
        throw new AssertionError("does not compile without the guard:%n%s".formatted(messages));
      }
    }
  }

  /** Folders with only the changed files, by module name. */
  Map<String, Path> byModule() {
    return byModule;
  }

  /**
   * The class path with the classes of changed modules replaced as a whole: Flyway searches every
   * entry, so each migration must occur once.
   */
  List<Path> in(List<Path> classPath) {
    return classPath.stream()
        .map(entry ->
            byModule.keySet().stream()
                .filter(module -> ModuleClasses.of(module).isMadeInto(entry))
                .findFirst()
                .map(this::whole)
                .orElse(entry))
        .distinct()
        .toList();
  }

  private Path whole(String module) {
    var whole = folder.resolve("whole").resolve(module);
    link(Objects.requireNonNull(byModule.get(module)), whole);
    link(ModuleClasses.of(module).classes(), whole);
    return whole;
  }

  /** Hard-links the files into another folder, except those that exist there. */
  private static void link(Path from, Path to) {
    try (var files = Files.walk(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var link = to.resolve(from.relativize(file));
        if (!Files.exists(link)) {
          Files.createDirectories(link.getParent());
          Files.createLink(link, file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
