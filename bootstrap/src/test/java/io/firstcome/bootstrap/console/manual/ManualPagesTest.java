package io.firstcome.bootstrap.console.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.bootstrap.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.ui.ExtendedModelMap;

class ManualPagesTest {

  private static final Path SOURCES = Path.of("src", "main");

  /** An address of a document, in a template or in the code. */
  private static final Pattern ADDRESS = Pattern.compile("[\"/]([a-z-]+\\.md)(#[a-z-]+)?\"");

  private final ManualPages pages;

  ManualPagesTest() throws IOException {
    pages = new ManualPages();
  }

  private String html(String document) {
    var model = new ExtendedModelMap();
    var _ = pages.document(document, model);
    return String.valueOf(model.get("html"));
  }

  @Test
  void documents_are_html_with_tables() {
    assertThat(html("runbook.md"))
        .contains("<h1 id=\"runbook\">Runbook</h1>", "<table tabindex=\"0\">");
  }

  @Test
  void each_document_and_heading_that_the_console_links_exists() throws IOException {
    var addresses = new ArrayList<List<String>>();
    try (var files = Files.walk(SOURCES)) {
      for (var file :
          files
              .filter(file -> file.toString().contains("console"))
              .filter(Files::isRegularFile)
              .toList()) {
        ADDRESS
            .matcher(Files.readString(file))
            .results()
            .map(found ->
                List.of(found.group(1), found.group(2) == null ? "" : found.group(2).substring(1)))
            .forEach(addresses::add);
      }
    }

    assertThat(addresses)
        .contains(List.of("runbook.md", "firstcomedeadletters"))
        .hasSizeGreaterThan(10)
        .allSatisfy(address ->
            assertThat(html(address.getFirst()))
                .contains(
                    address.getLast().isEmpty() ? "<h1" : " id=\"" + address.getLast() + '"'));
  }

  @Test
  void only_what_is_in_the_jar_is_linked() {
    var renderer = new ManualRenderer(Set.of("health.md"));

    assertThat(
            renderer.html(
                "[a](health.md#x) [b](../deploy/b.yml) [*c* d](other.md) [e](#e)"
                    + " [f](https://f.example/) ![g](g.png)"))
        .isEqualTo(
            "<p><a href=\"health.md#x\">a</a> b <em>c</em> d <a href=\"#e\">e</a>"
                + " <a href=\"https://f.example/\">f</a> </p>\n");
  }

  @Test
  void html_in_a_document_is_text() {
    assertThat(new ManualRenderer(Set.of()).html("<script>alert(1)</script>"))
        .contains("&lt;script&gt;");
  }

  @Test
  void another_file_is_not_found() {
    assertThatThrownBy(() -> pages.document("application.yaml", new ExtendedModelMap()))
        .isInstanceOf(Problem.class);
  }
}
