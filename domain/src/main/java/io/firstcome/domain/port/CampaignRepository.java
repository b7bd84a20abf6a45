package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * Deletes a campaign and takes its coupons out of it, which are drafts. The same transaction adds
   * that to the audit trail of each coupon.
   *
   * @param leaves the change of each coupon of the campaign that still exists
   * @param actor who deletes it, at the time {@code at}
   * @return false if another change of a coupon or of the campaign came first; nothing happened
   */
  boolean delete(Campaign campaign, List<CouponChange.Changed> leaves, Actor actor, Instant at);

  Optional<Campaign> find(CampaignId campaignId);

  /**
   * Campaigns, ordered by id.
   *
   * @param after the last campaign of the previous page, or null
   */
  List<Campaign> page(@Nullable CampaignId after, int max);
}
