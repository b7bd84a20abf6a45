package io.firstcome.bootstrap.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.console.Exports.Export;
import io.firstcome.bootstrap.console.Exports.State;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportsTest {

  private static final CouponId COUPON = new CouponId("WELCOME");
  private static final CouponId OTHER = new CouponId("OTHER");
  private static final UserId ANN = new UserId("ann");
  private static final UserId BOB = new UserId("bob");
  private static final UserId CAROL = new UserId("carol");

  private final Exports exports = new Exports();

  private int refused(UserId operator, CouponId coupon) {
    var problem = new Problem[1];
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(() -> exports.begin(operator, coupon))
        .satisfies(thrown -> problem[0] = thrown);
    return problem[0].body().getStatus();
  }

  private Export found(UserId operator, CouponId coupon) {
    return exports.find(operator, coupon).orElseThrow();
  }

  @Test
  void an_operator_has_one_file_at_a_time_and_all_operators_together_have_two() {
    var first = exports.begin(ANN, COUPON);
    assertThat(refused(ANN, OTHER)).isEqualTo(429);
    assertThat(refused(ANN, COUPON)).isEqualTo(429);
    exports.begin(BOB, COUPON);
    assertThat(refused(CAROL, COUPON)).isEqualTo(503);

    first.close();
    exports.begin(CAROL, COUPON);

    assertThat(found(ANN, COUPON).state()).isEqualTo(State.INCOMPLETE);
    assertThat(exports.find(CAROL, OTHER)).isEmpty();
  }

  @Test
  void the_oldest_file_that_is_not_being_sent_is_forgotten_first() {
    exports.begin(ANN, COUPON);
    for (int i = 0; i < 1_000; i++) {
      try (var export = exports.begin(BOB, new CouponId("C" + i))) {
        export.complete();
      }
    }

    assertThat(found(ANN, COUPON).state()).isEqualTo(State.RUNNING);
    assertThat(exports.find(BOB, new CouponId("C0"))).isEmpty();
    assertThat(found(BOB, new CouponId("C1")).state()).isEqualTo(State.COMPLETE);
  }

  @ParameterizedTest
  @CsvSource({
    "ann, ann",
    "=1+1, '''=1+1'",
    "-ann, '''-ann'",
    "' @SUM(A1)', ''' @SUM(A1)'",
    "'\u00a0＝1', '''\u00a0＝1'",
    "a=b-c, a=b-c",
    "a;=HYPERLINK(A1);b, 'a;''=HYPERLINK(A1);b'",
    "'a;\"=1\"', 'a;''\"=1\"'"
  })
  void what_a_spreadsheet_takes_for_a_formula_has_an_apostrophe(String text, String written) {
    assertThat(ExportPages.withoutFormula(text)).isEqualTo(written);
  }
}
