package io.firstcome.systemtests.guards;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A copy of all sources, in which patches are tried. What is built in it stays, to save time. */
final class Sources {

  /** Of all modules; this is the folder above that of this module. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Set<String> NOT_SOURCES = Set.of(".git", "target", ".firstcome", ".idea");
  private static final long PATCH_SECONDS = 30;

  private final Path copy;

  Sources(Path copy) {
    this.copy = copy;
  }

  Path copy() {
    return copy;
  }

  /**
   * Makes the copy the same as the original. Only what differs is written, and so is newer than
   * what was built from it.
   */
  void restore() {
    try {
      Files.createDirectories(copy);
      var wanted = files(ROOT);
      for (var file : files(copy)) {
        if (!wanted.contains(file)) {
          Files.delete(copy.resolve(file));
        }
      }
      for (var file : wanted) {
        var from = ROOT.resolve(file);
        var to = copy.resolve(file);
        if (!Files.exists(to) || Files.mismatch(from, to) >= 0) {
          Files.createDirectories(to.getParent());
          Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<Path> files(Path root) throws IOException {
    var files = new TreeSet<Path>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_SOURCES.contains(folder.getFileName().toString()) && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(root.relativize(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /**
   * Removes the guard from the copy.
   *
   * @throws AssertionError if its patch does not fit the sources any more
   */
  void remove(Guard guard) throws InterruptedException {
    var output = git(copy, "apply", "--whitespace=nowarn", guard.patch().toString());
    if (!output.isEmpty()) {
      throw doesNotFit(guard, output);
    }
  }

  /**
   * Does nothing if the guard's patch fits the sources in the folder.
   *
   * @throws AssertionError if it does not
   */
  static void requireFits(Guard guard, Path sources) throws InterruptedException {
    var output = git(sources, "apply", "--check", guard.patch().toString());
    if (!output.isEmpty()) {
      throw doesNotFit(guard, output);
    }
  }

  private static AssertionError doesNotFit(Guard guard, String output) {
    return new AssertionError(
        """
        %s does not fit the sources any more.
        Make it remove the same guard from the code of today; where the guard is gone for good, \
        remove the patch.
        %s\
        """
            .formatted(guard.patch(), output));
  }

  /** Runs git in the folder; returns what it says if it fails, else nothing. */
  private static String git(Path folder, String... arguments) throws InterruptedException {
    var command = new String[arguments.length + 1];
    command[0] = "git";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      var builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.redirectErrorStream(true);
      // Within a repository git passes over, silently, what is not below the folder it runs in.
      builder
          .environment()
          .put("GIT_CEILING_DIRECTORIES", folder.resolve("..").normalize().toString());
      var process = builder.start();
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(PATCH_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "git takes too long";
      }
      return process.exitValue() == 0 ? "" : "git: " + output;
    } catch (IOException e) {
      throw new UncheckedIOException("git is needed to apply patches", e);
    }
  }
}
