package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.QuoteUserCoupons;
import io.firstcome.bootstrap.security.Caller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows customers the discount of each of their coupons on an order. */
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
}
