package io.firstcome.bootstrap.rest.redemption;

import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.security.Caller;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators end redemptions of any shop or owner. */
@RestController
@RequestMapping("/api/v1/admin/redemptions/{redemptionId}")
class AdminRedemptionController {

  private final EndRedemption endRedemption;
  private final FindRedemptions findRedemptions;

  AdminRedemptionController(EndRedemption endRedemption, FindRedemptions findRedemptions) {
    this.endRedemption = endRedemption;
    this.findRedemptions = findRedemptions;
  }

  @GetMapping
  RedemptionJson find(@PathVariable String redemptionId, Caller caller) {
    return findRedemptions
        .find(UserCouponIds.parseRedemption(redemptionId), caller.redeemingOperator())
        .map(RedemptionJson::of)
        .orElseThrow(UserCouponIds::unknownRedemption);
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void release(@PathVariable String redemptionId, Caller caller) {
    RedemptionProblems.requireDone(
        endRedemption.release(
            UserCouponIds.parseRedemption(redemptionId), caller.redeemingOperator()));
  }

  @PostMapping("/cancellation")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(
      @PathVariable String redemptionId,
      @RequestBody RedemptionJson.CancellationJson json,
      Caller caller) {
    var id = UserCouponIds.parseRedemption(redemptionId);
    RedemptionProblems.requireDone(
        endRedemption.undo(id, OrderReader.read(json), caller.redeemingOperator()));
  }
}
