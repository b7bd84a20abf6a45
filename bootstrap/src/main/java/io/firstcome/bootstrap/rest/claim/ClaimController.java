package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.claim.FindClaim;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.wallet.UserCouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows the state of a claim. {@link ClaimHandler} executes claims. */
@RestController
@RequestMapping(ClaimMapping.PATH)
class ClaimController {

  private final FindClaim findClaim;

  ClaimController(FindClaim findClaim) {
    this.findClaim = findClaim;
  }

  @GetMapping("/me")
  UserCouponJson status(@PathVariable String couponId, Caller caller) {
    var user = caller.user();
    return switch (findClaim.find(CouponIds.parse(couponId), user)) {
      case FindClaim.Result.Recorded(UserCoupon row) -> UserCouponJson.of(row);
      case FindClaim.Result.Accepted(UserCouponIdentity identity, Slot slot) ->
          UserCouponJson.accepted(identity, slot);
      case FindClaim.Result.Rejected() -> UserCouponJson.withoutSlot("REJECTED", couponId);
      case FindClaim.Result.Returned() -> UserCouponJson.withoutSlot("RETURNED", couponId);
      case FindClaim.Result.None() ->
          throw Problem.of(ProblemType.NO_CLAIM, "You have no claim for this coupon.");
      case FindClaim.Result.UnknownCoupon() -> throw Problem.unknownCoupon();
    };
  }
}
