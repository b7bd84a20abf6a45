package io.firstcome.bootstrap.console.manual;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The documents of this version, such as the runbook, which findings and alerts refer to. */
@Controller
class ManualPages {

  private static final Pattern TITLE = Pattern.compile("^# (.+)$", Pattern.MULTILINE);

  /** By file name. */
  private final Map<String, Document> documents = new TreeMap<>();

  private record Document(String title, String html) {}

  ManualPages() throws IOException {
    var files = new PathMatchingResourcePatternResolver().getResources("classpath:/manual/*.md");
    var texts = new TreeMap<String, String>();
    for (Resource file : files) {
      texts.put(String.valueOf(file.getFilename()), file.getContentAsString(UTF_8));
    }
    var renderer = new ManualRenderer(texts.keySet());
    texts.forEach(
        (name, text) -> documents.put(name, new Document(title(text), renderer.html(text))));
  }

  private static String title(String text) {
    var found = TITLE.matcher(text);
    if (!found.find()) {
      throw new IllegalArgumentException("a document without a title");
    }
    return found.group(1);
  }

  @GetMapping("/console/manual")
  String contents(Model model) {
    var titles = new TreeMap<String, String>();
    documents.forEach((name, document) -> titles.put(name, document.title()));
    model.addAttribute("titles", titles);
    return "console/manual";
  }

  @GetMapping("/console/manual/{name}")
  String document(@PathVariable String name, Model model) {
    var document = documents.get(name);
    if (document == null) {
      throw Problem.of(ProblemType.NOT_FOUND, "There is no such document.");
    }
    model.addAttribute("title", document.title());
    model.addAttribute("html", document.html());
    return "console/document";
  }
}
