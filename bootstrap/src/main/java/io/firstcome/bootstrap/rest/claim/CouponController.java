package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows coupons to every caller. */
@RestController
class CouponController {

  private final ReadCoupon readCoupon;

  CouponController(ReadCoupon readCoupon) {
    this.readCoupon = readCoupon;
  }

  @GetMapping("/api/v1/coupons/{couponId}")
  CouponJson.View coupon(@PathVariable String couponId) {
    var view =
        readCoupon.read(CouponIds.parse(couponId)).orElseThrow(() -> Problem.unknownCoupon());
    return CouponJson.view(view.coupon(), view.remaining().orElse(null));
  }
}
