package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The consumer in the documentation is the one that the tests run. */
class EventListenerDocsTest {

  private static final Path CODE =
      Path.of("src/test/java/io/firstcome/systemtests/kit/EventListener.java");
  private static final Path DOCS = Path.of("../docs/events.md");

  @Test
  void the_docs_show_the_code_of_the_listener() throws IOException {
    var code =
        between(Files.readString(CODE), "// docs/events.md: begin\n", "// docs/events.md: end");
    var docs = between(Files.readString(DOCS), "```java\n", "```\n");

    assertThat(docs.strip()).isEqualTo(code.stripIndent().strip());
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin);
    int to = text.indexOf(end, from + begin.length());
    assertThat(from).as(begin).isNotNegative();
    assertThat(to).as(end).isNotNegative();
    return text.substring(from + begin.length(), to);
  }
}
