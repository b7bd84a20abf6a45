package io.firstcome.bootstrap.rest;

import io.firstcome.application.EndRedemption;
import io.firstcome.application.FindClaim;
import io.firstcome.application.RedemptionAnswer;
import io.firstcome.application.TakeUserCoupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Customers take their coupons for orders. */
@RestController
@RequestMapping("/api/v1/me/coupons/{userCouponId}/redemptions")
class RedemptionController {

  private static final Duration SOON = Duration.ofSeconds(1);

  private final TakeUserCoupon takeUserCoupon;
  private final EndRedemption endRedemption;
  private final FindClaim findClaim;

  RedemptionController(
      TakeUserCoupon takeUserCoupon, EndRedemption endRedemption, FindClaim findClaim) {
    this.takeUserCoupon = takeUserCoupon;
    this.endRedemption = endRedemption;
    this.findClaim = findClaim;
  }

  @PostMapping
  ResponseEntity<RedemptionJson> take(
      @PathVariable String userCouponId, @RequestBody RedemptionJson.Wanted wanted, Caller caller) {
    var user = caller.user();
    var id = UserCouponIds.parse(userCouponId);
    var order = OrderReader.read(wanted);
    return switch (takeUserCoupon.take(id, order, Actor.customer(user))) {
      case RedemptionAnswer.Done(UserCoupon taken) ->
          ResponseEntity.created(
                  URI.create("/api/v1/me/coupons/%s/redemptions/%s".formatted(id, order.orderId())))
              .body(RedemptionJson.of(taken));
      case RedemptionAnswer.DoneBefore(UserCoupon taken) ->
          ResponseEntity.ok(RedemptionJson.of(taken));
      case RedemptionAnswer refusal -> throw refused(refusal, id, user);
    };
  }

  @PostMapping("/{orderId}/confirmation")
  ResponseEntity<RedemptionJson> confirm(
      @PathVariable String userCouponId, @PathVariable String orderId, Caller caller) {
    var user = caller.user();
    var id = UserCouponIds.parse(userCouponId, orderId);
    return switch (endRedemption.confirm(id, Actor.customer(user))) {
      case RedemptionAnswer.Done(UserCoupon used) -> ResponseEntity.ok(RedemptionJson.of(used));
      case RedemptionAnswer.DoneBefore(UserCoupon used) ->
          ResponseEntity.ok(RedemptionJson.of(used));
      case RedemptionAnswer refusal -> throw refused(refusal, id.userCouponId(), user);
    };
  }

  @DeleteMapping("/{orderId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(@PathVariable String userCouponId, @PathVariable String orderId, Caller caller) {
    var user = caller.user();
    var id = UserCouponIds.parse(userCouponId, orderId);
    switch (endRedemption.cancel(id, Actor.customer(user))) {
      case RedemptionAnswer.Done _, RedemptionAnswer.DoneBefore _ -> {}
      case RedemptionAnswer refusal -> throw refused(refusal, id.userCouponId(), user);
    }
  }

  private Problem refused(RedemptionAnswer refusal, UserCouponId id, UserId user) {
    return switch (refusal) {
      case RedemptionAnswer.NotApplicable(var reason) ->
          Problem.conflict(
                  "not-applicable", "Not applicable", "The coupon does not apply to this order.")
              .with("reason", reason.name());
      case RedemptionAnswer.Refused(var reason) -> refused(reason);
      case RedemptionAnswer.UnknownUserCoupon() -> missing(id, user);
      case RedemptionAnswer.UnknownRedemption() -> UserCouponIds.unknownRedemption();
      case RedemptionAnswer.Overtaken() ->
          Problem.unavailable(
              "overloaded",
              "Overloaded",
              "Others change this coupon at the same time; nothing happened. Try again.",
              SOON);
      case RedemptionAnswer.Done _, RedemptionAnswer.DoneBefore _ ->
          throw new IllegalStateException("not a refusal: " + refusal);
    };
  }

  private static Problem refused(RedemptionAnswer.Reason reason) {
    return switch (reason) {
      case ALREADY_USED ->
          Problem.conflict("already-used", "Already used", "It was used on another order.");
      case HELD_BY_ANOTHER_ORDER ->
          Problem.conflict(
              "held-by-another-order", "Held by another order", "It is kept for another order.");
      case EXPIRED -> Problem.conflict("expired", "Expired", "Its validity is over.");
      case NOT_USABLE ->
          Problem.conflict("not-usable", "Not usable", "It was given back or taken away.");
      case OTHER_AMOUNT ->
          Problem.conflict(
              "other-amount",
              "Other amount",
              "It is taken for this order with another amount; cancel that first.");
      case NOT_HELD ->
          Problem.conflict(
              "not-held", "Not held", "It is not kept for this order any more; ask for it again.");
    };
  }

  /** A claim that is accepted has an id already, and no row yet. */
  private Problem missing(UserCouponId id, UserId user) {
    return findClaim.find(id.couponId(), user) instanceof FindClaim.Result.Accepted(var own, _)
            && own.id().equals(id)
        ? UserCouponController.notYetIssued()
        : UserCouponIds.unknown();
  }
}
