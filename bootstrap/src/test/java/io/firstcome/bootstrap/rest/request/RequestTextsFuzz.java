package io.firstcome.bootstrap.rest.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts in paths, queries, headers and members: each is refused with the documented exception, or
 * is a value that is written as it was read.
 */
public final class RequestTextsFuzz {

  private static final Pattern USER_ID = Pattern.compile("[!-~]{1,128}");

  private RequestTextsFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    var text = new String(input, UTF_8);
    assertThat(read(UserId::new, text) != null).isEqualTo(USER_ID.matcher(text).matches());
    assertWrittenAsRead(UserId::new, UserId::value, text);
    assertWrittenAsRead(ShopId::new, ShopId::value, text);
    assertWrittenAsRead(CouponId::new, CouponId::value, text);
    assertWrittenAsRead(OrderId::new, OrderId::value, text);
    assertWrittenAsRead(UserCouponId::parse, UserCouponId::toString, text);
    assertWrittenAsRead(RedemptionId::parse, RedemptionId::toString, text);
    assertCursor(text);
    assertCode(text);
    assertLimit(text);
    assertThat(Preferences.waitTime(List.of(text.split("\n", -1))))
        .isBetween(Duration.ZERO, Preferences.LONGEST_WAIT);
  }

  /** The value, or null if the text is none. */
  private static <T> @Nullable T read(Function<String, T> reader, String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static <T> void assertWrittenAsRead(
      Function<String, T> reader, Function<T, String> writer, String text) {
    var value = read(reader, text);
    if (value != null) {
      assertThat(writer.apply(value)).isEqualTo(text);
    }
  }

  /** The number in a cursor may begin with zeros. */
  private static void assertCursor(String text) {
    var cursor = read(UserCouponCursor::parse, text);
    if (cursor != null) {
      assertThat(UserCouponCursor.parse(cursor.toString())).isEqualTo(cursor);
    }
  }

  /** A code is the same in lower case and with hyphens. */
  private static void assertCode(String text) {
    var code = read(CouponCode::parse, text);
    if (code != null) {
      var typed = code.value().toLowerCase(Locale.ROOT).replaceAll("(....)", "$1-");
      assertThat(CouponCode.parse(code.value())).isEqualTo(code);
      assertThat(CouponCode.parse(typed)).isEqualTo(code);
    }
  }

  private static void assertLimit(String text) {
    try {
      assertThat(PageLimit.parse(text)).isBetween(1, 100);
    } catch (Problem e) {
      assertThat(e.body().getStatus()).isEqualTo(400);
    }
  }
}
