package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportRowTest {

  @Test
  void rows_are_in_the_order_of_their_numbers() {
    assertThat(
            Stream.of("11b", "2", "11a", "11", "7")
                .map(ReportRowTest::row)
                .sorted(ReportRow.BY_NUMBER)
                .map(ReportRow::number))
        .containsExactly("2", "7", "11", "11a", "11b");
  }

  private static ReportRow row(String number) {
    return new ReportRow(
        number, "", List.of(), 1, ScenarioCounts.NONE, Duration.ZERO, Duration.ZERO);
  }

  @Test
  void a_row_has_all_columns() {
    var row =
        new ReportRow(
            "7",
            "Redis killed",
            List.of("claim-ledger", "record-late"),
            128,
            new ScenarioCounts(4_000, 3, 2, 1, 0),
            Duration.ofMillis(1_250),
            Duration.ofMillis(40));
    assertThat(row.markdown())
        .isEqualTo(
            "| 7 | Redis killed | claim-ledger<br>record-late | 4000 | 128 | 3 | 2 | 1 | 0 | 1.3 s |"
                + " 0.0 s |\n");
  }
}
