package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson.CampaignJson;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.InvalidMemberException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the definition of a campaign. */
final class CampaignReader extends MemberReader {

  private static final String COUPON_IDS = "couponIds";

  private CampaignReader() {}

  private Problem invalid() {
    return invalid(ProblemType.INVALID_CAMPAIGN, "campaign");
  }

  /**
   * Reads the campaign from the JSON.
   *
   * @throws Problem {@code invalid-campaign}, with all errors that were found
   */
  static Campaign read(CampaignJson json) {
    return new CampaignReader().campaign(json);
  }

  private Campaign campaign(CampaignJson json) {
    var id = read("campaignId", json.campaignId(), CampaignId::new);
    var limit = required("limitPerUser", json.limitPerUser());
    var couponIds = read(COUPON_IDS, json.couponIds(), this::couponIds);
    if (hasErrors() || id == null || limit == null || couponIds == null) {
      throw invalid();
    }
    try {
      return new Campaign(id, limit, couponIds);
    } catch (InvalidMemberException e) {
      wrong(e.member(), String.valueOf(e.getMessage()));
      throw invalid();
    }
  }

  private List<CouponId> couponIds(List<@Nullable String> json) {
    var couponIds = new ArrayList<CouponId>();
    for (int i = 0; i < json.size(); i++) {
      var couponId = read("%s[%d]".formatted(COUPON_IDS, i), json.get(i), CouponId::new);
      if (couponId != null) {
        couponIds.add(couponId);
      }
    }
    return couponIds;
  }

  /** The problem of a coupon that cannot be in the campaign. */
  static Problem refused(CouponId couponId, DefineCampaign.Reason reason) {
    var reader = new CampaignReader();
    var fault =
        switch (reason) {
          case UNKNOWN_COUPON -> "does not exist";
          case NOT_DRAFT -> "is published, and only drafts can be put into a campaign";
          case IN_ANOTHER_CAMPAIGN -> "belongs to another campaign";
          case DOES_NOT_RETURN_TO_STOCK -> "must have returnsToStock true";
          case OTHER_BACKEND -> "has another stockBackend than the first coupon";
          case OTHER_CODE_KEY ->
              "was defined with another code key than the first coupon; copy the older one";
        };
    reader.wrong(COUPON_IDS, "%s %s".formatted(couponId, fault));
    return reader.invalid();
  }
}
