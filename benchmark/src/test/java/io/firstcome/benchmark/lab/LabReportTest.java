package io.firstcome.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.firstcome.benchmark.lab.strategy.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class LabReportTest {

  private static final Load LOAD = new Load(20, 10, 42);
  private static final Verdict EXACT = new Verdict(10, 0, 0, 0, 0, 0);
  private static final Verdict LOST = new Verdict(9, 0, 1, 0, 1, 0);

  @Test
  void speed_is_the_median_of_the_rounds_and_firstcome_is_the_measure() {
    var report = new LabReport(List.of(rowLock(), firstcome()), LOAD, 3, 1).plain();
    // Ten wins in 2 s, and in 1 s; the rounds with 1 s and 9 s are not the median.
    assertThat(row(report, "SELECT … FOR UPDATE on the coupon")).contains("5", "2.0×", "3.0 s");
    assertThat(row(report, "Firstcome on Redis")).contains("10", "1.0×");
  }

  @Test
  void exactness_is_the_worst_of_all_and_has_a_row_for_each_death() {
    var report = new LabReport(List.of(rowLock(), firstcome()), LOAD, 3, 1).plain();
    assertThat(row(report, "SELECT … FOR UPDATE on the coupon, nothing")).endsWith("yes");
    assertThat(row(report, "SELECT … FOR UPDATE on the coupon, process")).endsWith("no");
    assertThat(report).doesNotContain("SELECT … FOR UPDATE on the coupon, Redis");
    assertThat(row(report, "Firstcome on Redis, Redis")).endsWith("yes");
  }

  @Test
  void every_strategy_has_its_reason_in_the_document() {
    var lines = Contenders.all().stream().map(Line::new).toList();
    var page = new LabReport(lines, LOAD, 1, 0).markdown(LocalDate.of(2026, 1, 2));
    for (var contender : Contenders.all()) {
      assertThat(page)
          .contains("\n- **%s**: %s\n".formatted(contender.name(), contender.verdict()));
    }
    assertThat(page).contains("2026-01-02", "seed 42", "20 users").doesNotContain(", process |");
  }

  @Test
  void the_generated_part_of_the_document_is_replaced_and_nothing_else() {
    var before = "a\n" + StrategiesPage.BEGIN + "old\n" + StrategiesPage.END + "b\n";
    assertThat(StrategiesPage.with(before, "new\n"))
        .isEqualTo("a\n" + StrategiesPage.BEGIN + "\nnew\n\n" + StrategiesPage.END + "b\n");
    assertThatIllegalStateException().isThrownBy(() -> StrategiesPage.with("a\n", "new"));
  }

  @Test
  void the_document_of_the_project_has_a_place_for_it() throws IOException {
    var document = Files.readString(Path.of("../docs/strategies.md"));
    assertThat(StrategiesPage.with(document, "new")).contains("\nnew\n");
  }

  @Test
  void the_json_has_every_figure(@TempDir Path folder) throws IOException {
    var file = folder.resolve("lab.json");
    LabJson.write(file, List.of(rowLock(), firstcome()), LOAD, 3, 1);
    var strategies = JsonMapper.shared().readTree(file.toFile()).get("strategies");
    assertThat(strategies.get(0).get("winsPerSecond").asDouble()).isEqualTo(5);
    assertThat(strategies.get(0).get("afterProcessDeath").get("lost").asInt()).isEqualTo(1);
    assertThat(strategies.get(0).has("afterRedisDeath")).isFalse();
    assertThat(strategies.get(1).get("afterRedisDeath").get("exact").asBoolean()).isTrue();
  }

  @Test
  void a_row_that_does_not_fit_its_table_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LabTable("a", "b").add(List.of("1")));
  }

  private static Line rowLock() {
    var line = new Line(Contender.find("row-lock").orElseThrow());
    line.add(turn(9));
    line.add(turn(1));
    line.add(turn(2));
    line.addProcessDeath(new Death.Result(5, EXACT));
    line.addProcessDeath(new Death.Result(5, LOST));
    return line;
  }

  private static Line firstcome() {
    var line = new Line(Contender.find("firstcome").orElseThrow());
    line.add(turn(1));
    line.addProcessDeath(new Death.Result(5, EXACT));
    line.addRedisDeath(new Death.Result(5, EXACT));
    return line;
  }

  /** Ten wins in this number of seconds, and one second more until all are durable. */
  private static Turn.Result turn(int seconds) {
    var wins = new Histogram(3);
    for (int i = 0; i < 10; i++) {
      wins.recordValue(1_000);
    }
    var took = Duration.ofSeconds(seconds);
    return new Turn.Result(
        new CallerBurst.Result(20, took, took, wins, new Histogram(3), 0),
        took.plusSeconds(1),
        EXACT);
  }

  /** The first line of the report that begins with this text. */
  private static String row(String report, String name) {
    return report
        .lines()
        .filter(line -> line.startsWith(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row of " + name + " in\n" + report))
        .strip();
  }
}
