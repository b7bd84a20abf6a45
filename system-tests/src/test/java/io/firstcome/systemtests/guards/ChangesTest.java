package io.firstcome.systemtests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesTest {

  @TempDir private Path folder;

  @BeforeEach
  void commit_two_files() throws Exception {
    git("init", "--quiet", "--initial-branch=main");
    write("first", "1");
    commit("first");
    write("second", "1");
    commit("second");
  }

  @Test
  void without_an_upstream_commit_the_newest_commit_is_included() throws Exception {
    assertThat(changes("")).containsExactly("second");
  }

  @Test
  void upstream_commits_are_not_included() throws Exception {
    git("update-ref", "refs/remotes/origin/main", "HEAD~1");
    write("third", "1");
    commit("third");
    assertThat(changes("")).containsExactly("second", "third");
  }

  @Test
  void uncommitted_changes_are_included() throws Exception {
    write("first", "2");
    write("new", "1");
    Files.delete(folder.resolve("second"));
    assertThat(changes("HEAD")).containsExactly("first", "new", "second");
  }

  private List<String> changes(String base) throws InterruptedException {
    return new Changes(folder)
        .since(base).stream().map(file -> folder.relativize(file).toString()).sorted().toList();
  }

  private void write(String file, String content) throws IOException {
    Files.writeString(folder.resolve(file), content);
  }

  private void commit(String message) throws Exception {
    git("add", ".");
    git(
        "-c",
        "user.name=nobody",
        "-c",
        "user.email=nobody@example.org",
        "-c",
        "commit.gpgsign=false",
        "commit",
        "--quiet",
        "--message",
        message);
  }

  private void git(String... words) throws Exception {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    var git = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    assertThat(git.waitFor()).isZero();
  }
}
