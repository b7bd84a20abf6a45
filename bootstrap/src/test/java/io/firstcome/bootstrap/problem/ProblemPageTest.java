package io.firstcome.bootstrap.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/problems.md} describes each type of problem. */
class ProblemPageTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z-]+)` \\| ([0-9]{3}) \\| [^|]+ \\| [^|]* \\| [^|]+ \\|$");

  @Test
  void the_page_has_a_row_for_each_type_and_no_other() throws IOException {
    var page = Files.readString(Path.of("../docs/problems.md"));

    assertThat(ROW.matcher(page).results().map(row -> row.group(1) + " " + row.group(2)))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ProblemType.values())
                .map(type -> type.label() + " " + type.status().value())
                .toList());
  }
}
