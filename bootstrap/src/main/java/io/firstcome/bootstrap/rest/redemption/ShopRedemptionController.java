package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.RedemptionRefusal;
import io.firstcome.application.usercoupon.TakeByCode;
import io.firstcome.application.usercoupon.TakeUserCoupon;
import io.firstcome.application.usercoupon.TakeUserCoupon.Order;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.rest.problem.Problem;
import io.firstcome.bootstrap.rest.redemption.OrderReader.Named;
import io.firstcome.bootstrap.rest.request.Caller;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which order services and tills redeem coupons, by id or by code. */
@RestController
@RequestMapping("/api/v1/redemptions")
class ShopRedemptionController {

  private final TakeUserCoupon takeUserCoupon;
  private final TakeByCode takeByCode;
  private final EndRedemption endRedemption;

  ShopRedemptionController(
      TakeUserCoupon takeUserCoupon, TakeByCode takeByCode, EndRedemption endRedemption) {
    this.takeUserCoupon = takeUserCoupon;
    this.takeByCode = takeByCode;
    this.endRedemption = endRedemption;
  }

  @PostMapping
  ResponseEntity<RedemptionJson> take(
      @RequestBody RedemptionJson.WantedByShop json, Caller caller) {
    var shop = caller.user();
    var wanted = OrderReader.read(json);
    var order = wanted.order();
    return switch (answer(wanted.userCoupon(), order, shop)) {
      case UserCouponAnswer.Done<RedemptionRefusal>(UserCoupon taken) ->
          ResponseEntity.created(
                  URI.create(
                      "/api/v1/redemptions/" + new RedemptionId(taken.id(), order.orderId())))
              .body(RedemptionJson.of(taken));
      case UserCouponAnswer.DoneBefore<RedemptionRefusal>(UserCoupon taken) ->
          ResponseEntity.ok(RedemptionJson.of(taken));
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal -> throw refused(refusal);
    };
  }

  private UserCouponAnswer<RedemptionRefusal> answer(Named userCoupon, Order order, UserId shop) {
    return switch (userCoupon) {
      case Named.ById(String text) ->
          takeUserCoupon.take(UserCouponIds.parse(text), order, Actor.shop(shop));
      case Named.ByCode(String typed) ->
          switch (takeByCode.take(typed, order, shop)) {
            case TakeByCode.Result.Known(var answer) -> answer;
            case TakeByCode.Result.UnknownCode() ->
                throw Problem.notFound(
                    "unknown-code", "Unknown code", "There is no coupon with this code.");
            case TakeByCode.Result.LockedOut(var left) ->
                throw Problem.tooMany("You have sent too many wrong codes.", left);
          };
    };
  }

  @PostMapping("/{redemptionId}/confirmation")
  ResponseEntity<RedemptionJson> confirm(@PathVariable String redemptionId, Caller caller) {
    var shop = Actor.shop(caller.user());
    return switch (endRedemption.confirm(UserCouponIds.parseRedemption(redemptionId), shop)) {
      case UserCouponAnswer.Done<RedemptionRefusal>(UserCoupon used) ->
          ResponseEntity.ok(RedemptionJson.of(used));
      case UserCouponAnswer.DoneBefore<RedemptionRefusal>(UserCoupon used) ->
          ResponseEntity.ok(RedemptionJson.of(used));
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal -> throw refused(refusal);
    };
  }

  @DeleteMapping("/{redemptionId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(@PathVariable String redemptionId, Caller caller) {
    var shop = Actor.shop(caller.user());
    switch (endRedemption.cancel(UserCouponIds.parseRedemption(redemptionId), shop)) {
      case UserCouponAnswer.Done<RedemptionRefusal> _,
          UserCouponAnswer.DoneBefore<RedemptionRefusal> _ -> {}
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal -> throw refused(refusal);
    }
  }

  private static Problem refused(UserCouponAnswer.Refusal<RedemptionRefusal> refusal) {
    return RedemptionProblems.of(refusal, UserCouponIds::unknown);
  }
}
