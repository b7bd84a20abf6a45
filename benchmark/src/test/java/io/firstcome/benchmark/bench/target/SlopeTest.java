package io.firstcome.benchmark.bench.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.firstcome.benchmark.bench.report.Plot.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlopeTest {

  @Test
  void a_line_has_its_slope() {
    var points = List.of(new Point(0, 10), new Point(1, 12.5), new Point(3, 17.5));

    assertThat(Slope.of(points)).isEqualTo(2.5, within(1e-9));
  }

  @Test
  void what_goes_up_and_down_again_has_none() {
    var points = List.of(new Point(0, 0), new Point(1, 100), new Point(2, 100), new Point(3, 0));

    assertThat(Slope.of(points)).isEqualTo(0, within(1e-9));
  }

  @Test
  void too_few_points_have_none() {
    assertThat(Slope.of(List.of())).isZero();
    assertThat(Slope.of(List.of(new Point(1, 5)))).isZero();
  }
}
