package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class OrderCheckTest {

  private static final int MANY = 100_000;

  @Test
  void a_later_claim_with_a_lower_slot_is_found() {
    var history = History.ofTotal(9).issued("ann", 2).issued("bob", 1);
    assertThat(history.orderViolations())
        .singleElement()
        .satisfies(v -> assertThat(v.invariant()).isEqualTo(Violation.Invariant.I9));
  }

  @Test
  void one_early_claim_with_a_high_slot_is_reported_against_all_later_claims() {
    var history = History.ofTotal(9).issued("ann", 9).issued("bob", 2).issued("cem", 3);
    assertThat(history.orderViolations()).hasSize(2);
  }

  @Test
  void claims_that_overlap_in_time_may_have_any_order() {
    var history =
        History.ofTotal(9)
            .acceptedBetween("ann", 2, 10, 20)
            .row("ann", 2)
            .acceptedBetween("bob", 1, 20, 30)
            .row("bob", 1);
    assertThat(history.orderViolations()).isEmpty();
  }

  @Test
  void the_first_of_several_requests_of_a_user_counts() {
    var history =
        History.ofTotal(9)
            .neverAnswered("ann")
            .issued("bob", 2)
            .answeredAgain("ann", 1, History.id("ann"), History.code("ann"))
            .row("ann", 1);
    assertThat(history.orderViolations()).isEmpty();
  }

  @Test
  void a_claim_accepted_after_a_sold_out_answer_is_found() {
    var history = History.ofTotal(2).issued("ann", 1).soldOut("bob").issued("cem", 2);
    assertThat(history.orderViolations())
        .singleElement()
        .satisfies(v -> assertThat(v.finding()).contains("sold out"));
  }

  @Test
  void a_hundred_thousand_claims_are_checked_in_time() {
    var history = History.ofTotal(MANY);
    for (int slot = 1; slot <= MANY; slot++) {
      history.issued("user-" + slot, slot);
    }
    Assertions.assertTimeout(
        Duration.ofSeconds(5),
        () -> assertThatCode(history::orderViolations).doesNotThrowAnyException());
    assertThat(history.issued("late", 1).orderViolations()).hasSize(1);
  }
}
