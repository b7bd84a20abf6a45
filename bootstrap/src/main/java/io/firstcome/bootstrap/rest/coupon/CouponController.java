package io.firstcome.bootstrap.rest.coupon;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;

/** Shows coupons to every caller, and lets clients and caches reuse the answer for a second. */
@RestController
class CouponController {

  static final String CACHE_CONTROL = "max-age=" + CouponSnapshots.FRESH_FOR.toSeconds();

  private final CouponSnapshots snapshots;

  CouponController(CouponSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  @GetMapping(path = "/api/v1/coupons/{couponId}", produces = MediaType.APPLICATION_JSON_VALUE)
  void coupon(
      @PathVariable String couponId, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var snapshot =
        snapshots.find(CouponIds.parse(couponId)).orElseThrow(() -> Problem.unknownCoupon());
    // Replaces the default of all answers.
    response.setHeader(HttpHeaders.CACHE_CONTROL, CACHE_CONTROL);
    if (new ServletWebRequest(request, response).checkNotModified(snapshot.etag())) {
      return;
    }
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(snapshot.json().length);
    response.getOutputStream().write(snapshot.json());
  }
}
