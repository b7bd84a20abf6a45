package io.firstcome.bootstrap.retention;

import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.bootstrap.rest.admin.AuditEntryJson;
import io.firstcome.bootstrap.rest.redemption.RedemptionJson;
import io.firstcome.bootstrap.rest.wallet.UserCouponJson;
import io.firstcome.domain.retention.ExportedUserCoupon;
import java.util.List;

/**
 * The line of a user coupon in an exported file; its parts look as in the API.
 *
 * @param generation counts the owners of the slot, from 1
 */
record UserCouponLine(
    String userId,
    int generation,
    UserCouponJson userCoupon,
    List<RedemptionJson> redemptions,
    List<AuditEntryJson> audit) {

  static UserCouponLine of(ExportedUserCoupon exported) {
    var userCoupon = exported.userCoupon();
    return new UserCouponLine(
        userCoupon.userId().value(),
        userCoupon.ownership().generation(),
        UserCouponJson.of(userCoupon),
        exported.redemptions().stream()
            .map(redemption -> new FindRedemptions.Found(redemption, redemption.state()))
            .map(RedemptionJson::of)
            .toList(),
        exported.audit().stream().map(AuditEntryJson::of).toList());
  }
}
