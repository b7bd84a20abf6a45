package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The defined campaigns. Failures are {@link DatabaseUnavailableException}s. */
public interface CampaignRepository {

  /** The result of a definition. */
  enum Outcome {
    DEFINED,
    /** A campaign of that id exists; nothing happened. */
    ID_TAKEN,
    /** Another change of one of the coupons came first; nothing happened. */
    OVERTAKEN
  }

  /**
   * Adds a campaign and puts its coupons into it, which are drafts. The same transaction adds that
   * to the audit trail of each coupon.
   *
   * @param joins the change of each coupon of the campaign
   * @param actor who defines it, at the time {@code at}
   */
  Outcome define(Campaign campaign, List<CouponChange.Changed> joins, Actor actor, Instant at);

  Optional<Campaign> find(CampaignId campaignId);
}
