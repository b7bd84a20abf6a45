package io.firstcome.devservices.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs installed on this machine. */
public final class Programs {

  private static final List<String> USUAL_FOLDERS =
      List.of(
          "/usr/bin",
          "/bin",
          "/usr/sbin",
          "/usr/local/bin",
          "/usr/local/sbin",
          "/opt/homebrew/bin");

  private Programs() {}

  /** The first of this name on PATH, else in one of the usual folders. */
  public static Optional<Path> find(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), USUAL_FOLDERS.stream())
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The program with every symbolic link followed, so that its neighbours can be found. */
  public static Path real(Path program) {
    try {
      return program.toRealPath();
    } catch (IOException e) {
      return program;
    }
  }
}
