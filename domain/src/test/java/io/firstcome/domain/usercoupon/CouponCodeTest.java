package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CouponCodeTest {

  private static final CouponCode CODE = new CouponCode("A0B1C2D3E4F5G6H7");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A0B1C2D3E4F5G6H7",
        "a0b1c2d3e4f5g6h7",
        "A0B1-C2D3-E4F5-G6H7",
        " A0B1 C2D3 E4F5\u00a0G6H7\t\n",
        "-a-0-b-1-c-2-d-3-e-4-f-5-g-6-h-7-",
        "AOBIC2D3E4F5G6H7",
        "aoblc2d3e4f5g6h7",
        "AoBiC2D3E4F5G6H7",
        "A0BLC2D3E4F5G6H7"
      })
  void a_code_is_accepted_in_any_case_and_with_separators(String typed) {
    assertThat(CouponCode.parse(typed)).isEqualTo(CODE);
  }

  @Test
  void every_code_is_parsed_as_itself() {
    var all = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    for (var half : new String[] {all.substring(0, 16), all.substring(16)}) {
      assertThat(CouponCode.parse(half)).isEqualTo(new CouponCode(half));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " - ",
        "A0B1C2D3E4F5G6H",
        "A0B1C2D3E4F5G6H78",
        "A0B1C2D3E4F5G6HU",
        "A0B1C2D3E4F5G6H_",
        "A0B1C2D3E4F5G6H\u0131",
        "A0B1C2D3E4F5G6H\u212a",
        "A0B1C2D3E4F5G6H\uff11",
        "A0B1C2D3E4F5G6H\u0000"
      })
  void a_malformed_code_is_refused_and_not_quoted(String typed) {
    var thrown = assertThatIllegalArgumentException().isThrownBy(() -> CouponCode.parse(typed));

    if (typed.length() > 3) {
      thrown.matches(e -> !String.valueOf(e.getMessage()).contains(typed));
    }
  }
}
