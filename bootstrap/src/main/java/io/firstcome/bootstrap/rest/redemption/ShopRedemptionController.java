package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.application.usercoupon.RedemptionRefusal;
import io.firstcome.application.usercoupon.TakeByCode;
import io.firstcome.application.usercoupon.TakeUserCoupon;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.redemption.OrderReader.Named;
import io.firstcome.bootstrap.rest.redemption.OrderReader.WantedByShop;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints with which order services and tills redeem coupons, by id or by code. A shop sees and
 * ends only its own redemptions.
 */
@RestController
@RequestMapping("/api/v1/redemptions")
class ShopRedemptionController {

  private final TakeUserCoupon takeUserCoupon;
  private final TakeByCode takeByCode;
  private final EndRedemption endRedemption;
  private final FindRedemptions findRedemptions;

  ShopRedemptionController(
      TakeUserCoupon takeUserCoupon,
      TakeByCode takeByCode,
      EndRedemption endRedemption,
      FindRedemptions findRedemptions) {
    this.takeUserCoupon = takeUserCoupon;
    this.takeByCode = takeByCode;
    this.endRedemption = endRedemption;
    this.findRedemptions = findRedemptions;
  }

  @PostMapping
  ResponseEntity<RedemptionJson> take(
      @RequestBody RedemptionJson.WantedByShop json, Caller caller) {
    var shop = caller.shop();
    var wanted = OrderReader.read(json);
    return switch (answer(wanted, shop)) {
      case UserCouponAnswer.Done<RedemptionRefusal>(UserCoupon taken) ->
          ResponseEntity.created(
                  URI.create(
                      "/api/v1/redemptions/"
                          + new RedemptionId(taken.id(), wanted.order().orderId())))
              .body(RedemptionJson.of(taken));
      case UserCouponAnswer.DoneBefore<RedemptionRefusal>(UserCoupon taken) ->
          ResponseEntity.ok(RedemptionJson.of(taken));
      case UserCouponAnswer.Refusal<RedemptionRefusal> refusal -> throw refused(refusal);
    };
  }

  private UserCouponAnswer<RedemptionRefusal> answer(WantedByShop wanted, Redeemer.Shop shop) {
    return switch (wanted.userCoupon()) {
      case Named.ById(String text) ->
          takeUserCoupon.take(UserCouponIds.parse(text), wanted.order(), shop);
      case Named.ByCode(String typed) ->
          switch (takeByCode.take(typed, wanted.order(), wanted.presenter(), shop)) {
            case TakeByCode.Result.Known(var answer) -> answer;
            case TakeByCode.Result.UnknownCode() ->
                throw Problem.of(ProblemType.UNKNOWN_CODE, "There is no coupon with this code.");
            case TakeByCode.Result.LockedOut(var left) ->
                throw Problem.tooMany("Too many wrong codes were sent.", left);
          };
    };
  }

  @GetMapping
  RedemptionJson.ListJson ofOrder(@RequestParam String orderId, Caller caller) {
    var shop = caller.shop();
    return new RedemptionJson.ListJson(
        findRedemptions.ofOrder(shop.id(), OrderReader.orderId(orderId)).stream()
            .map(RedemptionJson::of)
            .toList());
  }

  @GetMapping("/{redemptionId}")
  RedemptionJson find(@PathVariable String redemptionId, Caller caller) {
    var shop = caller.shop();
    return findRedemptions
        .find(UserCouponIds.parseRedemption(redemptionId), shop)
        .map(RedemptionJson::of)
        .orElseThrow(UserCouponIds::unknownRedemption);
  }

  @PostMapping("/{redemptionId}/confirmation")
  ResponseEntity<RedemptionJson> confirm(@PathVariable String redemptionId, Caller caller) {
    var shop = caller.shop();
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
  void release(@PathVariable String redemptionId, Caller caller) {
    var shop = caller.shop();
    RedemptionProblems.requireDone(
        endRedemption.release(UserCouponIds.parseRedemption(redemptionId), shop));
  }

  @PostMapping("/{redemptionId}/cancellation")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(
      @PathVariable String redemptionId,
      @RequestBody RedemptionJson.CancellationJson json,
      Caller caller) {
    var shop = caller.shop();
    var id = UserCouponIds.parseRedemption(redemptionId);
    RedemptionProblems.requireDone(endRedemption.undo(id, OrderReader.read(json), shop));
  }

  private static Problem refused(UserCouponAnswer.Refusal<RedemptionRefusal> refusal) {
    return RedemptionProblems.of(refusal, UserCouponIds::unknown);
  }
}
