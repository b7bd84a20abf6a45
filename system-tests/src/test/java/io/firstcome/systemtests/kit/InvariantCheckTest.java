package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Violation.Invariant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each invariant broken in turn: a check that cannot fail proves nothing. */
class InvariantCheckTest {

  @Test
  void an_exact_history_has_no_violation() {
    var history =
        History.ofTotal(2)
            .issued("ann", 1)
            .issued("bob", 2)
            .soldOut("cem")
            .neverAnswered("dee")
            .answeredAgain("ann", 1, History.id("ann"), History.code("ann"));
    assertThat(history.violations()).isEmpty();
    assertThat(history.orderViolations()).isEmpty();
  }

  @Test
  void a_row_of_a_request_that_was_never_answered_is_no_violation() {
    assertThat(History.ofTotal(9).neverAnswered("ann").row("ann", 1).violations()).isEmpty();
    assertThat(History.ofTotal(9).neverAnswered("ann").violations()).isEmpty();
  }

  @Test
  void i1_finds_an_accepted_claim_without_a_row() {
    assertThat(found(History.ofTotal(9).accepted("ann", 1))).contains(Invariant.I1);
  }

  @Test
  void i1_finds_a_claim_that_was_rejected_after_it_was_accepted() {
    var history = History.ofTotal(9).accepted("ann", 1).rejected("ann");
    assertThat(history.violations())
        .anySatisfy(v -> assertThat(v.finding()).contains("no row but a rejection"));
  }

  @Test
  void i1_finds_a_row_with_another_slot_id_or_code() {
    assertThat(found(History.ofTotal(9).accepted("ann", 1).row("ann", 2)))
        .containsExactly(Invariant.I1);
    assertThat(
            found(
                History.ofTotal(9).accepted("ann", 1).row("other", "ann", 1, History.code("ann"))))
        .containsExactly(Invariant.I1);
    assertThat(
            found(History.ofTotal(9).accepted("ann", 1).row(History.id("ann"), "ann", 1, "other")))
        .containsExactly(Invariant.I1);
  }

  @Test
  void i2_finds_two_rows_of_one_user_slot_id_or_code() {
    var ann = History.ofTotal(9).issued("ann", 1);
    assertThat(found(ann.row("x", "ann", 2, "y"))).contains(Invariant.I2);
    assertThat(found(History.ofTotal(9).issued("ann", 1).issued("bob", 1)))
        .containsExactly(Invariant.I2);
    assertThat(
            found(
                History.ofTotal(9)
                    .issued("ann", 1)
                    .neverAnswered("bob")
                    .row(History.id("ann"), "bob", 2, "y")))
        .containsExactly(Invariant.I2);
    assertThat(
            found(
                History.ofTotal(9)
                    .issued("ann", 1)
                    .neverAnswered("bob")
                    .row("x", "bob", 2, History.code("ann"))))
        .containsExactly(Invariant.I2);
  }

  @Test
  void i2_finds_a_slot_that_the_coupon_does_not_have() {
    assertThat(found(History.ofTotal(9).issued("ann", 10))).containsExactly(Invariant.I2);
  }

  @Test
  void i3_finds_more_rows_than_slots() {
    assertThat(found(History.ofTotal(1).issued("ann", 1).issued("bob", 2))).contains(Invariant.I3);
  }

  @Test
  void i3_finds_fewer_rows_than_users_who_could_have_a_row() {
    assertThat(found(History.ofTotal(2).issued("ann", 1).soldOut("bob"))).contains(Invariant.I3);
  }

  @Test
  void a_returned_slot_can_have_a_new_owner_or_none() {
    var returned = History.ofTotal(1).issued("ann", 1).soldOut("bob").returned("ann");
    assertThat(returned.violations()).isEmpty();
    assertThat(returned.issued("cem", 1).violations()).isEmpty();
    assertThat(found(returned.issued("dee", 1))).contains(Invariant.I2, Invariant.I3);
  }

  @Test
  void i3_finds_that_a_return_removed_more_than_one_row() {
    var returned = History.ofTotal(9).issued("ann", 1).accepted("bob", 2).returned("ann");
    assertThat(found(returned)).contains(Invariant.I3);
  }

  @Test
  void i4_finds_a_row_without_a_request() {
    assertThat(found(History.ofTotal(9).row("ann", 1))).contains(Invariant.I4);
  }

  @Test
  void i4_finds_a_row_of_a_user_whose_claim_was_answered_as_without_effect() {
    assertThat(found(History.ofTotal(9).recovering("ann").row("ann", 1)))
        .containsExactly(Invariant.I4);
    assertThat(History.ofTotal(9).recovering("ann").issued("ann", 1).violations()).isEmpty();
  }

  @Test
  void i5_finds_answers_that_differ_in_slot_id_or_code() {
    var id = History.id("ann");
    var code = History.code("ann");
    assertThat(found(ann().answeredAgain("ann", 2, id, code))).contains(Invariant.I5);
    assertThat(found(ann().answeredAgain("ann", 1, "other", code))).contains(Invariant.I5);
    assertThat(found(ann().answeredAgain("ann", 1, id, "other"))).contains(Invariant.I5);
  }

  private static History ann() {
    return History.ofTotal(9).issued("ann", 1);
  }

  @Test
  void i7_finds_a_wrong_sold_out_answer() {
    assertThat(found(History.ofTotal(2).issued("ann", 1).soldOut("bob"))).contains(Invariant.I7);
  }

  @Test
  void a_known_loss_invalidates_earlier_answers_of_the_affected_users_only() {
    var lost = History.ofTotal(9).accepted("ann", 1).accepted("bob", 2).destroyed("ann", "bob");
    assertThat(lost.row("cem", 1).neverAnswered("cem").violations()).isEmpty();
    assertThat(lost.issued("ann", 2).violations()).isEmpty();
    assertThat(lost.counts().lost()).isEqualTo(1);
    assertThat(found(lost.accepted("bob", 3))).contains(Invariant.I1);
    assertThat(found(lost.accepted("dee", 4))).contains(Invariant.I1);
  }

  @Test
  void a_loss_can_change_the_slot_but_neither_id_nor_code() {
    var lost = History.ofTotal(9).accepted("ann", 1).destroyed("ann");
    assertThat(
            found(
                lost.answeredAgain("ann", 2, "other", History.code("ann"))
                    .row("other", "ann", 2, History.code("ann"))))
        .containsExactly(Invariant.I5);
  }

  @Test
  void the_counts_include_lost_claims_duplicates_and_claims_above_the_quantity() {
    assertThat(History.ofTotal(2).issued("ann", 1).issued("bob", 2).soldOut("cem").counts())
        .isEqualTo(new ScenarioCounts(3, 0, 0, 0, 0));
    assertThat(History.ofTotal(1).accepted("ann", 1).neverAnswered("bob").counts())
        .isEqualTo(new ScenarioCounts(2, 1, 1, 0, 0));
    assertThat(History.ofTotal(1).issued("ann", 1).issued("bob", 1).counts())
        .isEqualTo(new ScenarioCounts(2, 0, 0, 1, 1));
    assertThat(History.ofTotal(9).issued("ann", 1).row("x", "ann", 2, "y").counts())
        .isEqualTo(new ScenarioCounts(1, 0, 0, 1, 0));
  }

  private static List<Invariant> found(History history) {
    return history.violations().stream().map(Violation::invariant).distinct().toList();
  }
}
