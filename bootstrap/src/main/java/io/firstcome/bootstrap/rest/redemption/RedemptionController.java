package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.application.usercoupon.RedemptionRefusal;
import io.firstcome.application.usercoupon.TakeUserCoupon;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints with which customers hold their coupons for orders; where the deployment has no shops,
 * also use them.
 */
@RestController
@RequestMapping("/api/v1/me/coupons/{userCouponId}/redemptions")
class RedemptionController {

  private final TakeUserCoupon takeUserCoupon;
  private final EndRedemption endRedemption;
  private final FindRedemptions findRedemptions;
  private final FindClaim findClaim;

  RedemptionController(
      TakeUserCoupon takeUserCoupon,
      EndRedemption endRedemption,
      FindRedemptions findRedemptions,
      FindClaim findClaim) {
    this.takeUserCoupon = takeUserCoupon;
    this.endRedemption = endRedemption;
    this.findRedemptions = findRedemptions;
    this.findClaim = findClaim;
  }

  @PostMapping
  ResponseEntity<RedemptionJson> take(
      @PathVariable String userCouponId, @RequestBody RedemptionJson.Wanted wanted, Caller caller) {
    var owner = caller.owner();
    var id = UserCouponIds.parse(userCouponId);
    var order = OrderReader.read(wanted);
    return switch (takeUserCoupon.take(id, order, owner)) {
      case UserCouponAnswer.Done<RedemptionRefusal>(var taken) ->
          ResponseEntity.created(
                  URI.create("/api/v1/me/coupons/%s/redemptions/%s".formatted(id, order.orderId())))
              .body(RedemptionJson.of(taken));
      case UserCouponAnswer.DoneBefore<RedemptionRefusal>(var taken) ->
          ResponseEntity.ok(RedemptionJson.of(taken));
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal -> throw refused(refusal, id, owner);
    };
  }

  @GetMapping("/{orderId}")
  RedemptionJson find(
      @PathVariable String userCouponId, @PathVariable String orderId, Caller caller) {
    return findRedemptions
        .find(UserCouponIds.parse(userCouponId, orderId), caller.owner())
        .map(RedemptionJson::of)
        .orElseThrow(UserCouponIds::unknownRedemption);
  }

  @PostMapping("/{orderId}/confirmation")
  ResponseEntity<RedemptionJson> confirm(
      @PathVariable String userCouponId, @PathVariable String orderId, Caller caller) {
    var owner = caller.owner();
    var id = UserCouponIds.parse(userCouponId, orderId);
    return switch (endRedemption.confirm(id, owner)) {
      case UserCouponAnswer.Done<RedemptionRefusal>(var used) ->
          ResponseEntity.ok(RedemptionJson.of(used));
      case UserCouponAnswer.DoneBefore<RedemptionRefusal>(var used) ->
          ResponseEntity.ok(RedemptionJson.of(used));
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal ->
          throw refused(refusal, id.userCouponId(), owner);
    };
  }

  @DeleteMapping("/{orderId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void release(@PathVariable String userCouponId, @PathVariable String orderId, Caller caller) {
    var owner = caller.owner();
    var id = UserCouponIds.parse(userCouponId, orderId);
    switch (endRedemption.release(id, owner)) {
      case UserCouponAnswer.Done<RedemptionRefusal> _,
          UserCouponAnswer.DoneBefore<RedemptionRefusal> _ -> {}
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal ->
          throw refused(refusal, id.userCouponId(), owner);
    }
  }

  private Problem refused(
      UserCouponAnswer.Refusal<RedemptionRefusal> refusal, UserCouponId id, Redeemer.Owner owner) {
    return RedemptionProblems.of(refusal, () -> missing(id, owner));
  }

  /** The problem of a missing row: an accepted claim has an id before its row is written. */
  private Problem missing(UserCouponId id, Redeemer.Owner owner) {
    return findClaim.find(id.couponId(), owner.userId())
                instanceof FindClaim.Result.Accepted(var own, _)
            && own.id().equals(id)
        ? UserCouponIds.notYetIssued()
        : UserCouponIds.unknown();
  }
}
