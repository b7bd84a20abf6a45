package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.TakeByCode.Presenter;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.UserCoupon;
import org.jspecify.annotations.Nullable;

/** Reads the order on which a user coupon is to be redeemed. */
final class OrderReader extends MemberReader {

  private static final String EITHER = "exactly one of code and userCouponId is required";

  private OrderReader() {}

  /** How a shop identifies a user coupon. */
  sealed interface Named {

    /** By a typed code, which may be invalid. */
    record ByCode(String typed) implements Named {}

    /** By an id, which may be invalid. */
    record ById(String text) implements Named {}
  }

  /** The redemption that a shop requests. */
  record WantedByShop(Named userCoupon, Order order, Presenter presenter) {}

  /**
   * Reads the order of a customer's redemption.
   *
   * @throws Problem {@code invalid-order}, with all errors that were found
   */
  static Order read(RedemptionJson.Wanted json) {
    return customerOrder(json.orderId(), json.amount(), json.hold());
  }

  /** The quote that a shop requests. */
  record QuoteForCustomer(UserId customer, Order order) {}

  /** Reads the order of a shop's quote, and the customer. */
  static QuoteForCustomer read(QuoteJson.WantedByShop json) {
    var reader = new OrderReader();
    var customer = reader.read("customerId", json.customerId(), UserId::ofCaller);
    var order = reader.order(json.orderId(), json.amount(), null);
    if (customer == null || order == null) {
      throw reader.invalid();
    }
    return new QuoteForCustomer(customer, order);
  }

  /** Reads the order of a quote, which has no hold. */
  static Order read(QuoteJson.Wanted json) {
    return customerOrder(json.orderId(), json.amount(), null);
  }

  private static Order customerOrder(
      @Nullable String orderId, @Nullable MoneyJson amount, @Nullable String hold) {
    var reader = new OrderReader();
    var order = reader.order(orderId, amount, hold);
    if (order == null) {
      throw reader.invalid();
    }
    return order;
  }

  /** Reads the order and the user coupon of a shop's redemption. */
  static WantedByShop read(RedemptionJson.WantedByShop json) {
    var reader = new OrderReader();
    var userCoupon = reader.named(json.code(), json.userCouponId());
    var order = reader.order(json.orderId(), json.amount(), json.hold());
    var customer = reader.optional("customerId", json.customerId(), CodeSource::requireName);
    var address =
        reader.optional("customerAddress", json.customerAddress(), CodeSource::requireName);
    if (userCoupon == null || order == null || reader.hasErrors()) {
      throw reader.invalid();
    }
    return new WantedByShop(userCoupon, order, new Presenter(customer, address));
  }

  /** Reads the reason of a cancellation. */
  static String read(RedemptionJson.CancellationJson json) {
    var reader = new OrderReader();
    var reason = reader.read("reason", json.reason(), UserCoupon.Revoked::requireReason);
    if (reason == null) {
      throw reader.invalid(ProblemType.INVALID_CANCELLATION, "cancellation");
    }
    return reason;
  }

  /** Reads the id of an order in a query. */
  static OrderId orderId(String text) {
    var reader = new OrderReader();
    var id = reader.read("orderId", text, OrderId::new);
    if (id == null) {
      throw reader.invalid();
    }
    return id;
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

  private @Nullable Order order(
      @Nullable String orderIdText, @Nullable MoneyJson amountJson, @Nullable String holdText) {
    var orderId = read("orderId", orderIdText, OrderId::new);
    var amount = read("amount", amountJson, money -> money("amount", money));
    var hold = optional("hold", holdText, MemberReader::duration);
    return hasErrors() || orderId == null || amount == null
        ? null
        : attempt("hold", () -> new Order(orderId, amount, hold));
  }

  private Problem invalid() {
    return invalid(ProblemType.INVALID_ORDER, "order");
  }
}
