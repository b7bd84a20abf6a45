package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {

  private static final String PLACE = Document.BEGIN + "old\n" + Document.END;

  @Test
  void only_what_is_between_the_marks_is_written_anew() {
    assertThat(Document.insert("before\n" + PLACE + "after\n", "new\n"))
        .isEqualTo("before\n" + Document.BEGIN + "\nnew\n\n" + Document.END + "after\n");
    assertThatIllegalStateException().isThrownBy(() -> Document.insert("no place\n", "new\n"));
  }

  @Test
  void the_table_says_what_was_missed_and_what_was_not_measured() {
    assertThat(Document.generated(Samples.report()))
        .contains(
            "2026-02-03, at full scale. On 2 processors, 8,192 MiB",
            "| P2 | HTTP | 0.450 | ≥ 0.50 | **no** | 9,000 | 20,000 | requests/s |\n",
            "| P5-http-lock | HTTP | 16.000 |  |  | 8,000 | 500.0 | wins/s |\n",
            "| P7 | HTTP | 0.450 | ≤ 1.00 | yes | 4.500 | 10.0 | requests/s |\n",
            "12,000 / 20,000<br>8,000 / 20,000<br>9,000 / 20,000",
            "| request | all | service | Redis |\n|---|---|---|---|\n",
            "| claim | 72.5 | 60.0 | 12.5 |\n",
            "| identity | 1,234 | 12.3 | 320.0 |\n",
            "P4 is not measured: not written yet.\n",
            "![Depth & <time>](performance/depth.svg)\n")
        .doesNotContain("Warning");
  }

  @Test
  void the_plots_lie_beside_the_document(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("performance.md"), PLACE);

    Document.write(Samples.report(), folder);

    assertThat(folder.resolve("performance.md")).content().contains("| P2 |");
    assertThat(folder.resolve("performance/depth.svg")).content().startsWith("<svg ");
  }

  @Test
  void the_document_of_the_repository_has_a_place_for_the_report() throws IOException {
    String document = Files.readString(Path.of("../docs/performance.md"));

    assertThat(Document.insert(document, "new\n")).contains(Document.BEGIN + "\nnew\n");
  }
}
