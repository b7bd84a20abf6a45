package io.firstcome.bootstrap.rest;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.TakeUserCoupon.Order;
import io.firstcome.bootstrap.rest.CouponJson.MoneyJson;
import io.firstcome.domain.usercoupon.OrderId;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads the order that a user coupon is wanted for. */
final class OrderReader extends MemberReader {

  private static final String EITHER = "there must be either code or userCouponId";

  private OrderReader() {}

  /** How a shop names the user coupon that it wants. */
  sealed interface Named {

    /** By what somebody typed, which may be no code. */
    record ByCode(String typed) implements Named {}

    /** By what may be its id. */
    record ById(String text) implements Named {}
  }

  /** What a shop wants. */
  record WantedByShop(Named userCoupon, Order order) {}

  /**
   * The order that the JSON spells.
   *
   * @throws Problem {@code invalid-order}, with all errors that were found
   */
  static Order read(RedemptionJson.Wanted json) {
    return new OrderReader().order(json.orderId(), json.amount(), json.hold());
  }

  /** The same of a quote, where nothing is held. */
  static Order read(QuoteJson.Wanted json) {
    return new OrderReader().order(json.orderId(), json.amount(), null);
  }

  /** The same of a shop, with the user coupon that it wants. */
  static WantedByShop read(RedemptionJson.WantedByShop json) {
    var reader = new OrderReader();
    var userCoupon = reader.named(json.code(), json.userCouponId());
    var order = reader.order(json.orderId(), json.amount(), json.hold());
    return new WantedByShop(requireNonNull(userCoupon, "its error is thrown"), order);
  }

  private @Nullable Named named(@Nullable String code, @Nullable String userCouponId) {
    if (code != null && userCouponId == null) {
      return new Named.ByCode(code);
    }
    if (userCouponId != null && code == null) {
      return new Named.ById(userCouponId);
    }
    wrong("code", EITHER);
    wrong("userCouponId", EITHER);
    return null;
  }

  private Order order(
      @Nullable String orderIdText, @Nullable MoneyJson amountJson, @Nullable String holdText) {
    var orderId = read("orderId", orderIdText, OrderId::new);
    var amount = read("amount", amountJson, money -> money("amount", money));
    var hold = optional("hold", holdText, OrderReader::duration);
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
