package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation page on growth has a line for each kind of key. */
class GrowthPageTest {

  private static final Path PAGE = Path.of("..", "docs", "growth.md");

  private static final StockAddress COUPON =
      new StockAddress(aCoupon().build().id(), new Partition(7), new Epoch(1));

  static List<Method> keys() {
    return Arrays.stream(RedisKeys.class.getDeclaredMethods())
        .filter(method -> method.getReturnType() == String.class)
        .filter(method -> !Modifier.isPrivate(method.getModifiers()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("keys")
  void every_kind_of_key_has_a_line(Method method)
      throws IOException, IllegalAccessException, InvocationTargetException {
    Object argument =
        method.getParameterTypes()[0] == Partition.class ? COUPON.partition() : COUPON;
    var key = (String) method.invoke(null, argument);
    var kind = key.replace("{7}", "{n}").replace(COUPON.couponId().value(), "<id>");

    assertThat(Files.readString(PAGE)).contains("| `" + kind + "` |");
  }
}
