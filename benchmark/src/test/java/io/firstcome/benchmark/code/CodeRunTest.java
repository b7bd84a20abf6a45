package io.firstcome.benchmark.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.benchmark.bench.report.CodeFigure;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.TimeValue;

class CodeRunTest {

  @Test
  void each_piece_of_pure_code_is_measured() {
    var figures = new CodeRun(0, 1, TimeValue.milliseconds(10)).measure();

    assertThat(figures)
        .extracting(CodeFigure::name)
        .containsExactly("couponId", "identity", "quoteOfFifty", "userId", "worth");
    assertThat(figures).allSatisfy(figure -> assertThat(figure.nanos()).isPositive());
  }
}
