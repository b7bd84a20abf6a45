package io.firstcome.devservices.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoResultTest {

  private static final IssuedRows.Finding EXACT = new IssuedRows.Finding(100, 100, 100, true, true);

  @Test
  void the_last_line_has_the_documented_members_in_their_order() {
    assertThat(new DemoResult(100, 10_000, 100, 0, 9_900, 0, EXACT, 17).json())
        .isEqualTo(
            "{\"stock\":100,\"users\":10000,\"accepted\":100,\"alreadyIssued\":0,\"soldOut\":9900,"
                + "\"errors\":0,\"rows\":100,\"distinctUsers\":100,\"distinctSlots\":100,"
                + "\"durableMillis\":17}");
  }

  @Test
  void exactly_the_stock_to_as_many_users_is_exact() {
    assertThat(new DemoResult(100, 10_000, 100, 0, 9_900, 0, EXACT, 17).faults()).isEmpty();
  }

  @Test
  void more_stock_than_users_is_exact_when_each_user_has_one() {
    assertThat(new DemoResult(500, 100, 100, 0, 0, 0, EXACT, 0).faults()).isEmpty();
  }

  @Test
  void one_row_too_many_is_not_exact() {
    IssuedRows.Finding tooMany = new IssuedRows.Finding(101, 101, 100, true, true);
    assertThat(new DemoResult(100, 10_000, 101, 0, 9_899, 0, tooMany, 1).faults())
        .contains("rows: 101, not 100", "accepted: 101, not 100");
  }

  @Test
  void one_row_too_few_is_not_exact() {
    IssuedRows.Finding tooFew = new IssuedRows.Finding(99, 99, 99, true, true);
    assertThat(new DemoResult(100, 10_000, 100, 0, 9_900, 0, tooFew, -1).faults())
        .contains("rows: 99, not 100", "the database never had all rows");
  }

  @Test
  void a_slot_out_of_range_or_a_row_of_a_refused_user_is_not_exact() {
    IssuedRows.Finding odd = new IssuedRows.Finding(100, 100, 100, false, false);
    assertThat(new DemoResult(100, 10_000, 100, 0, 9_900, 0, odd, 1).faults()).hasSize(2);
  }

  @Test
  void an_error_or_a_repeat_is_not_exact() {
    assertThat(new DemoResult(100, 10_000, 100, 1, 9_898, 1, EXACT, 1).faults())
        .contains("errors: 1, not 0", "already issued: 1, not 0", "sold out: 9898, not 9900");
  }
}
