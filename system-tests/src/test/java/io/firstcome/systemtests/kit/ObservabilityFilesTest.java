package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The rules, dashboard and runbook name only what exists, and the rules do what they say. */
class ObservabilityFilesTest {

  private static final Path ROOT = Path.of("..");
  private static final Path FOLDER = ROOT.resolve("deploy").resolve("observability");
  private static final Path RULES = FOLDER.resolve("firstcome.rules.yml");
  private static final Path RULES_TEST = FOLDER.resolve("firstcome.rules.test.yml");
  private static final Path DASHBOARD = FOLDER.resolve("grafana-dashboard.json");

  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(firstcome_[a-z_]+)` \\|");
  private static final Pattern SERIES = Pattern.compile("\\bfirstcome_[a-z_]+");
  private static final Pattern RECORDED = Pattern.compile("\\bfirstcome:[a-z_]+:[a-z0-9_]+");
  private static final Pattern RECORD = Pattern.compile("(?m)^ +- record: (\\S+)$");
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\S+)$");
  private static final Pattern SEVERITY =
      Pattern.compile("- alert: (\\S+)\\n(?:(?! +- ).*\\n)*? +labels: \\{severity: (\\w+)}");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook: docs/runbook.md#(\\S+)$");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (\\S+)$");

  /** Of a test that expects no alert, and of one that expects an alert. */
  private static final Pattern SILENT =
      Pattern.compile("- \\{alertname: (\\S+), eval_time: \\S+, exp_alerts: \\[]}");

  private static final Pattern FIRES =
      Pattern.compile("- alertname: (\\S+)\\n +eval_time: \\S+\\n +exp_alerts:\\n +- exp_labels");

  /** Suffixes of the series of a summary or histogram. */
  private static final Pattern SUFFIX = Pattern.compile("_(count|sum|max|bucket)$");

  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
        .toList();
  }

  @Test
  void each_series_that_a_rule_or_panel_names_is_a_metric() throws IOException {
    var metrics = Set.copyOf(found(DOCUMENTED, ROOT.resolve("docs").resolve("metrics.md")));

    for (var file : List.of(RULES, RULES_TEST, DASHBOARD)) {
      var named =
          found(SERIES, file).stream()
              .map(series ->
                  metrics.contains(series) ? series : SUFFIX.matcher(series).replaceAll(""))
              .collect(Collectors.toSet());
      assertThat(metrics).as("metrics that %s names", file).containsAll(named);
      assertThat(named).isNotEmpty();
    }
  }

  @Test
  void each_recorded_series_that_a_rule_or_panel_names_is_recorded() throws IOException {
    var recorded = found(RECORD, RULES);

    for (var file : List.of(RULES, DASHBOARD)) {
      assertThat(recorded).containsAll(found(RECORDED, file));
    }
  }

  @Test
  void each_alert_has_an_entry_of_its_name_in_the_runbook_and_the_other_way_round()
      throws IOException {
    var alerts = found(ALERT, RULES);

    assertThat(found(RUNBOOK, RULES))
        .isEqualTo(alerts.stream().map(alert -> alert.toLowerCase(Locale.ROOT)).toList());
    assertThat(found(HEADING, ROOT.resolve("docs").resolve("runbook.md")))
        .containsExactlyInAnyOrderElementsOf(alerts);
  }

  @Test
  void the_runbook_names_the_severity_of_each_alert() throws IOException {
    var runbook = Files.readString(ROOT.resolve("docs").resolve("runbook.md"));
    var severities = SEVERITY.matcher(Files.readString(RULES)).results().toList();

    assertThat(severities).hasSameSizeAs(found(ALERT, RULES));
    for (var severity : severities) {
      assertThat(runbook)
          .contains(
              "## %s\n\n- **Severity:** %s.\n".formatted(severity.group(1), severity.group(2)));
    }
  }

  @Test
  void each_alert_has_a_test_in_which_it_is_silent_and_then_fires() throws IOException {
    var alerts = found(ALERT, RULES);

    assertThat(found(SILENT, RULES_TEST)).containsExactlyElementsOf(found(FIRES, RULES_TEST));
    assertThat(found(FIRES, RULES_TEST)).containsExactlyInAnyOrderElementsOf(alerts);
  }

  static boolean promtoolIsExpected() {
    return Files.isExecutable(PROMTOOL) || "true".equals(System.getenv("CI"));
  }

  @Test
  @EnabledIf("promtoolIsExpected")
  void the_rules_pass_their_tests() throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                PROMTOOL.toString(), "test", "rules", RULES_TEST.getFileName().toString())
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("SUCCESS");
  }
}
