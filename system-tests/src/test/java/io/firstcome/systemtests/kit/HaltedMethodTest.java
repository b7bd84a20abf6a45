package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HaltedMethodTest {

  /** So a renamed method is found before a scenario runs. */
  @Test
  void each_halted_method_is_declared_in_the_source_of_its_class() {
    assertThat(HaltedMethod.values())
        .allSatisfy(halted ->
            assertThat(Files.readString(source(halted)))
                .containsPattern("\\n  [^\\n=.]*\\b" + halted.method() + "\\("));
  }

  private static Path source(HaltedMethod halted) {
    return Path.of("..", halted.module(), "src/main/java")
        .resolve(halted.className().replace('.', '/') + ".java");
  }
}
