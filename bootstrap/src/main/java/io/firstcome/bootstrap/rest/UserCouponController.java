package io.firstcome.bootstrap.rest;

import io.firstcome.application.FindClaim;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows customers the coupons they have. */
@RestController
class UserCouponController {

  private final FindClaim findClaim;

  UserCouponController(FindClaim findClaim) {
    this.findClaim = findClaim;
  }

  /** Another user's coupon is answered as one that does not exist. */
  @GetMapping("/api/v1/me/coupons/{userCouponId}")
  UserCouponJson userCoupon(@PathVariable String userCouponId, Caller caller) {
    var user = caller.user();
    var id = UserCouponIds.parse(userCouponId);
    return switch (findClaim.find(id.couponId(), user)) {
      case FindClaim.Result.Recorded(UserCoupon row) when row.id().equals(id) ->
          UserCouponJson.of(row);
      case FindClaim.Result.Accepted(UserCouponIdentity identity, _)
          when identity.id().equals(id) ->
          throw notYetIssued();
      case FindClaim.Result.Recorded _,
          FindClaim.Result.Accepted _,
          FindClaim.Result.Rejected _,
          FindClaim.Result.Returned _,
          FindClaim.Result.None _,
          FindClaim.Result.UnknownCoupon _ ->
          throw UserCouponIds.unknown();
    };
  }

  static Problem notYetIssued() {
    return Problem.conflict(
        "not-yet-issued", "Not yet issued", "The claim is accepted; the coupon follows.");
  }
}
