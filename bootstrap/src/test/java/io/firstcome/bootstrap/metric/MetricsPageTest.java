package io.firstcome.bootstrap.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/metrics.md} is the list of {@link Metric}. */
class MetricsPageTest {

  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final String HEAD =
      "| metric | type | labels | what it measures |\n|---|---|---|---|\n";

  @Test
  void the_page_has_each_metric_as_it_is_defined() throws IOException {
    var page = Files.readString(PAGE);
    var table =
        Arrays.stream(Metric.values()).map(MetricsPageTest::row).collect(Collectors.joining());

    assertThat(page.substring(page.indexOf(HEAD)))
        .as("the end of %s", PAGE)
        .isEqualTo(HEAD + table);
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            series(metric),
            type(metric.type),
            metric.labels.stream().map("`%s`"::formatted).collect(Collectors.joining(", ")),
            metric.description);
  }

  /** The name in the text format of Prometheus. */
  private static String series(Metric metric) {
    var name = metric.meter.replace('.', '_');
    return switch (metric.type) {
      case COUNTER -> name + "_total";
      case GAUGE, SUMMARY -> name;
      case GAUGE_SECONDS, TIMER, HISTOGRAM -> name + "_seconds";
    };
  }

  private static String type(Metric.Type type) {
    return switch (type) {
      case COUNTER -> "counter";
      case GAUGE, GAUGE_SECONDS -> "gauge";
      case TIMER, SUMMARY -> "summary";
      case HISTOGRAM -> "histogram";
    };
  }
}
