package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.QuoteUserCoupons;
import io.firstcome.bootstrap.security.Caller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows what each coupon of a customer is worth on an order, to customers and to shops. */
@RestController
class QuoteController {

  private final QuoteUserCoupons quoteUserCoupons;

  QuoteController(QuoteUserCoupons quoteUserCoupons) {
    this.quoteUserCoupons = quoteUserCoupons;
  }

  @PostMapping("/api/v1/me/quotes")
  QuoteJson quote(@RequestBody QuoteJson.Wanted wanted, Caller caller) {
    var user = caller.user();
    var order = OrderReader.read(wanted);
    return QuoteJson.of(quoteUserCoupons.quote(user, order.orderId(), order.amount()));
  }

  /** For an order service, on behalf of the customer that it names. */
  @PostMapping("/api/v1/redemptions/quotes")
  QuoteJson quoteForShop(@RequestBody QuoteJson.WantedByShop json, Caller caller) {
    caller.shop();
    var wanted = OrderReader.read(json);
    return QuoteJson.of(
        quoteUserCoupons.quote(
            wanted.customer(), wanted.order().orderId(), wanted.order().amount()));
  }
}
