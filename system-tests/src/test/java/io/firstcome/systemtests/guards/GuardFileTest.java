package io.firstcome.systemtests.guards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.systemtests.guards.Guard.Expectation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardFileTest {

  private static final String HEAD =
      """
      Guard: Claims are rows before their message is acknowledged.
      Without: claims are lost when their recorder stops.
      Test: application: RecordTest#one
      Red: expected: 1
      Test: system-tests: RecordIT#two
      Red: : violations

      """;

  @TempDir private Path folder;

  @Test
  void a_head_and_edits_are_a_guard() throws IOException {
    var guard =
        read(
            """
            @ Recorder.java
            - record(claims);
            -   acknowledge(claims);
            + acknowledge(claims);
            +   record(claims);
            @ claim.lua
            - if late then
            """);
    assertThat(guard.name()).isEqualTo("record-first");
    assertThat(guard.what()).isEqualTo("Claims are rows before their message is acknowledged.");
    assertThat(guard.without()).isEqualTo("claims are lost when their recorder stops.");
    assertThat(guard.expectations())
        .containsExactly(
            new Expectation(new MeantTest("application", "RecordTest", "one"), "expected: 1"),
            new Expectation(new MeantTest("system-tests", "RecordIT", "two"), ": violations"));
    assertThat(guard.edits())
        .containsExactly(
            new Edit(
                "Recorder.java",
                List.of("record(claims);", "  acknowledge(claims);"),
                List.of("acknowledge(claims);", "  record(claims);")),
            new Edit("claim.lua", List.of("if late then"), List.of()));
  }

  @Test
  void an_edit_names_its_file() {
    assertThatThrownBy(() ->
            read(
                """
                @ Recorder.java
                - record(claims);
                + acknowledge(claims);
                - acknowledge(claims);
                """))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("- acknowledge(claims);");
  }

  @Test
  void a_guard_without_an_edit_is_refused() {
    assertThatThrownBy(() -> read("")).isInstanceOf(IllegalArgumentException.class);
  }

  private Guard read(String edits) throws IOException {
    return GuardFile.read(Files.writeString(folder.resolve("record-first.guard"), HEAD + edits));
  }
}
