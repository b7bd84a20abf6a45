package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserCouponCursorTest {

  private static final Instant TIME = Instant.parse("2026-05-01T09:00:00.123456Z");
  private static final String TAG = ".0123456789ABCDEF";

  private static UserCouponCursor place(Instant issuedAt, String couponId) {
    return new UserCouponCursor(issuedAt, UserCouponId.parse(couponId + TAG));
  }

  @Test
  void a_place_is_spelled_and_parsed() {
    var place = place(TIME, "WELCOME");

    assertThat(place).hasToString("1777626000123456:WELCOME.0123456789ABCDEF");
    assertThat(UserCouponCursor.parse(place.toString())).isEqualTo(place);
    var first = place(Instant.EPOCH, "A1");
    assertThat(UserCouponCursor.parse(first.toString())).isEqualTo(first);
  }

  @Test
  void a_time_is_as_exact_as_databases_keep_it() {
    assertThat(place(TIME.plusNanos(999), "WELCOME")).isEqualTo(place(TIME, "WELCOME"));
  }

  @Test
  void the_newest_is_first_and_of_one_time_the_lowest_id() {
    var newest = place(TIME.plusMillis(1), "ZZ");
    var tieA = place(TIME, "A-A");
    var tieB = place(TIME, "A0");
    var oldest = place(TIME.minusMillis(1), "AA");

    assertThat(Stream.of(tieB, oldest, newest, tieA).sorted())
        .containsExactly(newest, tieA, tieB, oldest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "1777626000123456",
        "1777626000123456:",
        "1777626000123456:WELCOME",
        "1777626000123456:WELCOME.0123456789ABCDEF:",
        "1777626000123456:WELCOME.0123456789abcdef",
        ":WELCOME.0123456789ABCDEF",
        "-1:WELCOME.0123456789ABCDEF",
        "+1:WELCOME.0123456789ABCDEF",
        "1.5:WELCOME.0123456789ABCDEF",
        "\u0661:WELCOME.0123456789ABCDEF",
        "100000000000000000:WELCOME.0123456789ABCDEF",
        "2026-05-01T09:00:00Z:WELCOME.0123456789ABCDEF"
      })
  void what_spells_no_place_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> UserCouponCursor.parse(text));
  }
}
