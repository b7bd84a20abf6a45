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

  private static UserCouponCursor cursor(Instant issuedAt, String couponId) {
    return new UserCouponCursor(issuedAt, UserCouponId.parse(couponId + TAG));
  }

  @Test
  void a_cursor_is_formatted_and_parsed() {
    var cursor = cursor(TIME, "WELCOME");

    assertThat(cursor).hasToString("1777626000123456:WELCOME.0123456789ABCDEF");
    assertThat(UserCouponCursor.parse(cursor.toString())).isEqualTo(cursor);
    var first = cursor(Instant.EPOCH, "A1");
    assertThat(UserCouponCursor.parse(first.toString())).isEqualTo(first);
  }

  @Test
  void the_time_of_a_cursor_is_truncated_to_microseconds() {
    assertThat(cursor(TIME.plusNanos(999), "WELCOME")).isEqualTo(cursor(TIME, "WELCOME"));
  }

  @Test
  void the_newest_is_first_and_at_the_same_time_the_lowest_id() {
    var newest = cursor(TIME.plusMillis(1), "ZZ");
    var tieA = cursor(TIME, "A-A");
    var tieB = cursor(TIME, "A0");
    var oldest = cursor(TIME.minusMillis(1), "AA");

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
  void a_malformed_cursor_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> UserCouponCursor.parse(text));
  }
}
