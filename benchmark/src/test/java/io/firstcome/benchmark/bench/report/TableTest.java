package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void it_has_a_row_for_each_target_measured_or_not() {
    assertThat(Table.of(Samples.report()).lines())
        .anyMatch(line -> line.matches("P2 +0\\.450 +≥ 0\\.50 +NO +9,000 +20,000 +requests/s .*"))
        .anyMatch(line -> line.matches("P5-http-lock +16\\.000 +8,000 +500\\.0 +wins/s .*"))
        .anyMatch(line -> line.matches("P7 +0\\.450 +≤ 1\\.00 +yes +4\\.500 +10\\.0 .*"))
        .anyMatch(line -> line.matches("identity +1,234 +ns +320.0 bytes allocated"))
        .anyMatch(line -> line.matches("P4 +not measured: not written yet"));
  }
}
