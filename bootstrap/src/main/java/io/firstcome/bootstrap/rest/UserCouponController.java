package io.firstcome.bootstrap.rest;

import io.firstcome.application.FindClaim;
import io.firstcome.bootstrap.rest.ClaimController.StatusJson;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
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
  StatusJson userCoupon(@PathVariable String userCouponId, Caller caller) {
    var user = caller.user();
    var id = parse(userCouponId);
    return switch (findClaim.find(id.couponId(), user)) {
      case FindClaim.Result.Recorded(UserCoupon.Issued row) when row.identity().id().equals(id) ->
          StatusJson.of("ISSUED", row.identity(), row.slot(), row.issuedAt());
      case FindClaim.Result.Accepted(UserCouponIdentity identity, _)
          when identity.id().equals(id) ->
          throw Problem.conflict(
              "not-yet-issued", "Not yet issued", "The claim is accepted; the coupon follows.");
      case FindClaim.Result.Recorded _,
          FindClaim.Result.Accepted _,
          FindClaim.Result.Rejected _,
          FindClaim.Result.Returned _,
          FindClaim.Result.None _,
          FindClaim.Result.UnknownCoupon _ ->
          throw unknown();
    };
  }

  private static UserCouponId parse(String path) {
    try {
      return UserCouponId.parse(path);
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static Problem unknown() {
    return Problem.notFound(
        "unknown-user-coupon", "Unknown user coupon", "You have no coupon of this id.");
  }
}
