package io.firstcome.bootstrap.rest.coupon;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows coupons to every caller, and lets clients and caches reuse the answer for a second. */
@RestController
class CouponController {

  private final CouponSnapshots snapshots;

  CouponController(CouponSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping(path = "/api/v1/coupons/{couponId}", produces = MediaType.APPLICATION_JSON_VALUE)
  void coupon(
      @PathVariable String couponId, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    snapshots
        .find(CouponIds.parse(couponId))
        .orElseThrow(() -> Problem.unknownCoupon())
        .document()
        .write(request, response);
  }
}
