package io.firstcome.domain.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompletionTest {

  private static Completion completion(long done, long all) {
    return new Completion(done, all, Duration.ofSeconds(10));
  }

  @Test
  void the_rest_takes_as_long_for_each_part_as_what_is_done() {
    assertThat(completion(250, 1_000).percent()).isEqualTo(25);
    assertThat(completion(250, 1_000).left()).contains(Duration.ofSeconds(30));
    assertThat(completion(1_000, 1_000).left()).contains(Duration.ZERO);
  }

  @Test
  void only_all_is_a_hundred_percent() {
    assertThat(completion(999, 1_000).percent()).isEqualTo(99);
    assertThat(completion(1_000, 1_000).percent()).isEqualTo(100);
  }

  @Test
  void there_can_be_more_than_was_known() {
    assertThat(completion(1_200, 1_000)).isEqualTo(completion(1_200, 1_200));
  }

  @Test
  void nothing_is_known_of_work_that_has_just_begun() {
    assertThat(completion(0, 1_000).percent()).isZero();
    assertThat(completion(0, 1_000).left()).isEmpty();
    assertThat(completion(0, 0).percent()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> completion(-1, 1));
  }
}
