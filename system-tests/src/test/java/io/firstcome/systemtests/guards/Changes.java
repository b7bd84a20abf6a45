package io.firstcome.systemtests.guards;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files that differ from a commit according to git, including uncommitted files. */
final class Changes {

  private static final String UPSTREAM = "origin/main";

  private final Path folder;

  /**
   * @param folder a folder in a git working tree
   */
  Changes(Path folder) {
    this.folder = folder;
  }

  /**
   * The paths of files below the folder that were changed, added or removed.
   *
   * @param base a commit; if empty, the last one that is upstream too, or else the one before HEAD
   */
  Set<Path> since(String base) throws InterruptedException {
    var commit =
        !base.isEmpty()
            ? base
            : git("merge-base", "HEAD", UPSTREAM).map(List::getFirst).orElse("HEAD~1");
    return Stream.of(
            files("diff", "--name-only", "--no-renames", "--relative", commit),
            files("ls-files", "--others", "--exclude-standard"))
        .flatMap(List::stream)
        .map(folder::resolve)
        .collect(Collectors.toSet());
  }

  private List<String> files(String... words) throws InterruptedException {
    return git(words)
        .orElseThrow(() -> new IllegalStateException("git failed: " + String.join(" ", words)));
  }

  /** The output lines of git, or empty if it fails. */
  private Optional<List<String>> git(String... words) throws InterruptedException {
    var command = new ArrayList<>(List.of("git", "-c", "core.quotePath=false"));
    command.addAll(List.of(words));
    try {
      var git =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      var lines = new String(git.getInputStream().readAllBytes(), UTF_8).lines().toList();
      return git.waitFor() == 0 ? Optional.of(lines) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run git to find the changed files", e);
    }
  }
}
