package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.usercoupon.ReturnRefusal;
import io.firstcome.application.usercoupon.RevokeUserCoupon;
import io.firstcome.application.usercoupon.UserCouponAnswer;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.rest.wallet.ReturnProblems;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.usercoupon.UserCoupon;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint with which operators revoke user coupons. */
@RestController
@RequestMapping("/api/v1/admin/user-coupons/{userCouponId}")
public class AdminUserCouponController {

  private final RevokeUserCoupon revokeUserCoupon;

  AdminUserCouponController(RevokeUserCoupon revokeUserCoupon) {
    this.revokeUserCoupon = revokeUserCoupon;
  }

  /** The reason for the revocation. */
  public record RevocationJson(@Nullable String reason) {}

  /**
   * A revoked user coupon, without its code, which only its owner may see.
   *
   * @param slotWentBack whether its slot can be issued again
   */
  @JsonInclude(Include.NON_NULL)
  public record RevokedJson(
      String userCouponId,
      String couponId,
      String userId,
      int slot,
      String state,
      @Nullable String reason,
      @Nullable String revokedAt,
      boolean slotWentBack) {

    static RevokedJson of(UserCoupon userCoupon) {
      var revoked = userCoupon instanceof UserCoupon.Revoked itself ? itself : null;
      return new RevokedJson(
          userCoupon.id().toString(),
          userCoupon.couponId().value(),
          userCoupon.userId().value(),
          userCoupon.slot().number(),
          userCoupon.state().name(),
          revoked == null ? null : revoked.reason(),
          revoked == null ? null : revoked.revokedAt().toString(),
          userCoupon.slotWentBack());
    }
  }

  @PostMapping("/revocation")
  public RevokedJson revoke(
      @PathVariable String userCouponId, @RequestBody RevocationJson json, Caller caller) {
    var id = UserCouponIds.parse(userCouponId);
    var reason = RevocationReader.reason(json.reason());
    return switch (revokeUserCoupon.revoke(id, reason, caller.operator())) {
      case UserCouponAnswer.Done<ReturnRefusal>(UserCoupon revoked) -> RevokedJson.of(revoked);
      case UserCouponAnswer.DoneBefore<ReturnRefusal>(UserCoupon revoked) ->
          RevokedJson.of(revoked);
      case UserCouponAnswer.Refusal<ReturnRefusal> refusal -> throw ReturnProblems.of(refusal);
    };
  }

  /** Reads the reason for a revocation. */
  private static final class RevocationReader extends MemberReader {

    static String reason(@Nullable String text) {
      var reader = new RevocationReader();
      var reason = reader.read("reason", text, UserCoupon.Revoked::requireReason);
      if (reason == null) {
        throw reader.invalid(ProblemType.INVALID_REVOCATION, "revocation");
      }
      return reason;
    }
  }
}
