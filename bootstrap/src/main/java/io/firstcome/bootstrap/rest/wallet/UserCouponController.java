package io.firstcome.bootstrap.rest.wallet;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.usercoupon.GiveBackUserCoupon;
import io.firstcome.application.usercoupon.ListUserCoupons;
import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which customers read and return their coupons. */
@RestController
@RequestMapping("/api/v1/me/coupons")
class UserCouponController {

  private final FindClaim findClaim;
  private final GiveBackUserCoupon giveBackUserCoupon;
  private final ListUserCoupons listUserCoupons;

  UserCouponController(
      FindClaim findClaim, GiveBackUserCoupon giveBackUserCoupon, ListUserCoupons listUserCoupons) {
    this.findClaim = findClaim;
    this.giveBackUserCoupon = giveBackUserCoupon;
    this.listUserCoupons = listUserCoupons;
  }

  /**
   * A page of coupons, newest first.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageJson(List<UserCouponJson> items, @Nullable String next) {}

  @GetMapping
  PageJson page(
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after,
      Caller caller) {
    var page =
        listUserCoupons.page(
            caller.user(),
            state == null ? null : state(state),
            after == null ? null : after(after),
            PageLimit.parse(limit));
    var next = page.next();
    return new PageJson(
        page.items().stream().map(UserCouponJson::of).toList(),
        next == null ? null : next.toString());
  }

  private static UserCouponState state(String text) {
    try {
      return UserCouponState.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed(
          "state must be one of %s.".formatted(Arrays.toString(UserCouponState.values())));
    }
  }

  private static UserCouponCursor after(String text) {
    try {
      return UserCouponCursor.parse(text);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }

  /** Another user's coupon is answered as one that does not exist. */
  @GetMapping("/{userCouponId}")
  UserCouponJson userCoupon(@PathVariable String userCouponId, Caller caller) {
    var user = caller.user();
    return UserCouponJson.of(own(UserCouponIds.parse(userCouponId), user));
  }

  @DeleteMapping("/{userCouponId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void giveBack(@PathVariable String userCouponId, Caller caller) {
    var user = caller.user();
    var id = UserCouponIds.parse(userCouponId);
    switch (giveBackUserCoupon.giveBack(id, Actor.customer(user))) {
      case UserCouponAnswer.Done<ReturnRefusal> _,
          UserCouponAnswer.DoneBefore<ReturnRefusal> _ -> {}
      case UserCouponAnswer.UnknownUserCoupon<ReturnRefusal>() -> {
        own(id, user);
        throw UserCouponIds.notYetIssued();
      }
      case UserCouponAnswer.Refusal<ReturnRefusal> refusal -> throw ReturnProblems.of(refusal);
    }
  }

  private UserCoupon own(UserCouponId id, UserId user) {
    return switch (findClaim.find(id.couponId(), user)) {
      case FindClaim.Result.Recorded(UserCoupon row) when row.id().equals(id) -> row;
      case FindClaim.Result.Accepted(UserCouponIdentity identity, _)
          when identity.id().equals(id) ->
          throw UserCouponIds.notYetIssued();
      case FindClaim.Result.Recorded _,
          FindClaim.Result.Accepted _,
          FindClaim.Result.Rejected _,
          FindClaim.Result.Returned _,
          FindClaim.Result.None _,
          FindClaim.Result.UnknownCoupon _ ->
          throw UserCouponIds.unknown();
    };
  }
}
