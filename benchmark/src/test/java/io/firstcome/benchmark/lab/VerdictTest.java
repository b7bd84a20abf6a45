package io.firstcome.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static final Load THREE_OF_FIVE = new Load(5, 3, 1);

  @Test
  void a_row_for_each_piece_and_winner_is_exact() {
    var verdict =
        Verdict.of(THREE_OF_FIVE, Set.of("a", "b", "c"), Set.of("d", "e"), List.of("a", "b", "c"));
    assertThat(verdict).isEqualTo(new Verdict(3, 0, 0, 0, 0, 0));
    assertThat(verdict.exact()).isTrue();
  }

  @Test
  void fewer_users_than_pieces_leave_nothing_under_issued() {
    var verdict = Verdict.of(new Load(2, 3, 1), Set.of("a", "b"), Set.of(), List.of("a", "b"));
    assertThat(verdict.exact()).isTrue();
  }

  @Test
  void rows_above_the_pieces_are_over_issued() {
    var verdict =
        Verdict.of(
            THREE_OF_FIVE, Set.of("a", "b", "c", "d"), Set.of("e"), List.of("a", "b", "c", "d"));
    assertThat(verdict).isEqualTo(new Verdict(4, 1, 0, 0, 0, 0));
    assertThat(verdict.exact()).isFalse();
  }

  @Test
  void a_second_row_of_a_user_is_a_duplicate_and_takes_a_piece() {
    var verdict =
        Verdict.of(THREE_OF_FIVE, Set.of("a", "b"), Set.of("c", "d"), List.of("a", "b", "a"));
    assertThat(verdict).isEqualTo(new Verdict(3, 0, 0, 1, 0, 0));
    assertThat(verdict.exact()).isFalse();
  }

  @Test
  void a_winner_without_a_row_is_lost_and_the_piece_is_under_issued() {
    var verdict =
        Verdict.of(THREE_OF_FIVE, Set.of("a", "b", "c"), Set.of("d", "e"), List.of("a", "b"));
    assertThat(verdict).isEqualTo(new Verdict(2, 0, 1, 0, 1, 0));
    assertThat(verdict.exact()).isFalse();
  }

  @Test
  void a_row_of_somebody_who_was_told_sold_out_is_untold() {
    var verdict = Verdict.of(THREE_OF_FIVE, Set.of("a", "b"), Set.of("c"), List.of("a", "b", "c"));
    assertThat(verdict).isEqualTo(new Verdict(3, 0, 0, 0, 0, 1));
    assertThat(verdict.exact()).isFalse();
  }

  @Test
  void a_row_of_somebody_who_was_told_nothing_is_in_order() {
    var verdict = Verdict.of(THREE_OF_FIVE, Set.of("a", "b"), Set.of("d"), List.of("a", "b", "c"));
    assertThat(verdict.exact()).isTrue();
  }

  @Test
  void of_two_rounds_each_figure_is_the_worse_one() {
    assertThat(new Verdict(4, 1, 0, 0, 2, 0).worse(new Verdict(3, 0, 1, 1, 1, 1)))
        .isEqualTo(new Verdict(4, 1, 1, 1, 2, 1));
  }
}
