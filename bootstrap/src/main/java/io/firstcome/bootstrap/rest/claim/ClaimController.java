package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.claim.FindClaim;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.wallet.UserCouponJson;
import io.firstcome.bootstrap.security.Caller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the state of a claim. {@link ClaimHandler} executes claims. */
@RestController
@RequestMapping("/api/v1/coupons/{couponId}/claims")
class ClaimController {

  private final FindClaim findClaim;

  ClaimController(FindClaim findClaim) {
    this.findClaim = findClaim;
  }

  @GetMapping("/me")
  UserCouponJson status(@PathVariable String couponId, Caller caller) {
    var user = caller.user();
    var id = CouponIds.parse(couponId);
    var claim = findClaim.find(id, user);
    if (claim instanceof FindClaim.Result.UnknownCoupon) {
      throw Problem.unknownCoupon();
    }
    return UserCouponJson.ofClaim(id, claim)
        .orElseThrow(() -> Problem.of(ProblemType.NO_CLAIM, "You have no claim for this coupon."));
  }
}
