package io.firstcome.bootstrap.rest.redemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.ServiceJson;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.function.Consumer;

/**
 * Bodies of the requests of customers and shops about an order: an order that is the same when it
 * is written and read again, or invalid members, which are all named.
 */
public final class OrderReaderFuzz {

  private OrderReaderFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    read(
        input,
        RedemptionJson.Wanted.class,
        json -> assertSameWhenReadAgain(OrderReader.read(json)));
    read(input, QuoteJson.Wanted.class, json -> assertSameWhenReadAgain(OrderReader.read(json)));
    read(
        input,
        RedemptionJson.WantedByShop.class,
        json -> assertSameWhenReadAgain(OrderReader.read(json).order()));
    read(
        input,
        RedemptionJson.CancellationJson.class,
        json -> {
          var reason = OrderReader.read(json);
          assertThat(UserCoupon.Revoked.requireReason(reason)).isEqualTo(reason);
        });
  }

  private static <T> void read(byte[] input, Class<T> type, Consumer<T> reader) {
    var json = ServiceJson.read(input, type);
    if (json == null) {
      return;
    }
    try {
      reader.accept(json);
    } catch (Problem problem) {
      ServiceJson.assertInvalidMembers(problem);
    }
  }

  private static void assertSameWhenReadAgain(Order order) {
    var hold = order.hold();
    var written =
        new RedemptionJson.Wanted(
            order.orderId().value(),
            CouponJson.money(order.amount()),
            hold == null ? null : hold.toString());
    assertThat(OrderReader.read(written)).isEqualTo(order);
  }
}
