package io.firstcome.bootstrap.rest;

import io.firstcome.application.TakeUserCoupon.Order;
import io.firstcome.domain.usercoupon.OrderId;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads the order that a user coupon is wanted for. */
final class OrderReader extends MemberReader {

  private OrderReader() {}

  /**
   * The order that the JSON spells.
   *
   * @throws Problem {@code invalid-order}, with all errors that were found
   */
  static Order read(RedemptionJson.Wanted json) {
    return new OrderReader().order(json);
  }

  private Order order(RedemptionJson.Wanted json) {
    var orderId = read("orderId", json.orderId(), OrderId::new);
    var amount = read("amount", json.amount(), money -> money("amount", money));
    var hold = optional("hold", json.hold(), OrderReader::duration);
    if (hasErrors() || orderId == null || amount == null) {
      throw invalid();
    }
    try {
      return new Order(orderId, amount, hold);
    } catch (IllegalArgumentException e) {
      wrong("hold", String.valueOf(e.getMessage()));
      throw invalid();
    }
  }

  private Problem invalid() {
    return invalid("invalid-order", "Invalid order", "order");
  }

  private static @Nullable Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("not an ISO 8601 duration: '" + text + "'", e);
    }
  }
}
