package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class CommitAfterTest {

  private static final String INSERT = "P\0\0\0\40\0insert into \"row\" values ($1)\0\0\0";

  private final Predicate<String> commit = CommitAfter.statement("insert into \"row\"").get();

  @Test
  void the_first_commit_of_a_connection_is_recognized_by_its_text() {
    assertThat(commit.test(INSERT)).isFalse();
    assertThat(commit.test(firstCommit("S_1"))).isTrue();
  }

  @Test
  void a_later_commit_is_recognized_by_its_name() {
    assertThat(commit.test(firstCommit("S_1"))).isFalse();
    assertThat(commit.test(bind("S_1"))).isFalse();
    assertThat(commit.test(INSERT)).isFalse();
    assertThat(commit.test(bind("S_12"))).isFalse();
    assertThat(commit.test(bind("S_1"))).isTrue();
  }

  private static String firstCommit(String name) {
    return "P\0\0\0\21" + name + "\0COMMIT\0\0\0" + bind(name);
  }

  private static String bind(String name) {
    return "B\0\0\0\17\0" + name + "\0\0\0\0\0\0\0E\0\0\0\11\0\0\0\0\1S\0\0\0\4";
  }
}
