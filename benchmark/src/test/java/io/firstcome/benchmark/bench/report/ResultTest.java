package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {

  @Test
  void the_median_is_the_middle_one_or_the_mean_of_the_two_in_the_middle() {
    assertThat(Median.of(7)).isEqualTo(7);
    assertThat(Median.of(9, 1, 5)).isEqualTo(5);
    assertThat(Median.of(9, 1, 5, 6)).isEqualTo(5.5);
    assertThatIllegalArgumentException().isThrownBy(Median::of);
  }

  @Test
  void the_ratio_is_the_median_of_the_rounds_ratios() {
    var result =
        new Result(
            Samples.measure("P2", Goal.atLeast(0.5)),
            List.of(new Pair(10, 100), new Pair(60, 100), new Pair(400, 500)));

    assertThat(result.ratio()).isEqualTo(0.6);
    assertThat(result.figure()).isEqualTo(60);
    assertThat(result.reference()).isEqualTo(100);
    assertThat(result.isMet()).contains(true);
  }

  @Test
  void a_goal_is_a_least_or_a_most() {
    assertThat(Goal.atLeast(3).isMetBy(3)).isTrue();
    assertThat(Goal.atLeast(3).isMetBy(2.99)).isFalse();
    assertThat(Goal.atMost(1).isMetBy(1)).isTrue();
    assertThat(Goal.atMost(1).isMetBy(1.01)).isFalse();
    assertThat(Goal.atLeast(0.5)).hasToString("≥ 0.50");
    assertThat(Goal.atMost(1)).hasToString("≤ 1.00");
  }

  @Test
  void no_ratio_is_made_of_what_was_not_measured() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Pair(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Pair(Double.NaN, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Result(Samples.measure("P1", Goal.atLeast(3)), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Samples.measure("speed", Goal.atLeast(3)));
  }
}
