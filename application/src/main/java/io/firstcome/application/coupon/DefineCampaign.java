package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An operator puts drafts into a campaign, before the first of them is published: then each
 * instance that answers claims of one of them knows all of them.
 */
public final class DefineCampaign {

  /** Each failed attempt means that another operator's change succeeded. */
  private static final int MAX_TRIES = 20;

  private final CampaignRepository campaigns;
  private final CouponRepository coupons;
  private final InstantSource clock;

  public DefineCampaign(
      CampaignRepository campaigns, CouponRepository coupons, InstantSource clock) {
    this.campaigns = campaigns;
    this.coupons = coupons;
    this.clock = clock;
  }

  /** The result of a definition. */
  public sealed interface Result {

    /** It is defined now. */
    record Defined() implements Result {}

    /** It was defined before with the same content. */
    record SameAsBefore() implements Result {}

    /** A campaign of that id and other content exists; nothing changed. */
    record AlreadyDefined() implements Result {}

    /** That coupon cannot be in the campaign; nothing changed. */
    record Refused(CouponId couponId, Reason reason) implements Result {}

    /** Each attempt met a concurrent change of a coupon; nothing changed. */
    record ConcurrentChange() implements Result {}
  }

  /** Why a coupon cannot be in a campaign. */
  public enum Reason {
    UNKNOWN_COUPON,
    /** It is published. */
    NOT_DRAFT,
    IN_ANOTHER_CAMPAIGN,
    /** Its slots do not go back to stock. */
    DOES_NOT_RETURN_TO_STOCK,
    /** Its stock is in another backend than that of the first coupon. */
    OTHER_BACKEND
  }

  /**
   * Defines the campaign. A retry is safe.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the definition
   */
  public Result define(Campaign campaign, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var stored = campaigns.find(campaign.id());
      if (stored.isPresent()) {
        return stored.get().equals(campaign)
            ? new Result.SameAsBefore()
            : new Result.AlreadyDefined();
      }
      var drafts =
          coupons.findAll(campaign.couponIds()).stream()
              .collect(Collectors.toMap(Coupon::id, Function.identity()));
      for (var couponId : campaign.couponIds()) {
        var obstacle = obstacle(couponId, campaign, drafts);
        if (obstacle.isPresent()) {
          return new Result.Refused(couponId, obstacle.get());
        }
      }
      if (define(campaign, drafts, actor) == CampaignRepository.Outcome.DEFINED) {
        return new Result.Defined();
      }
    }
    return new Result.ConcurrentChange();
  }

  private static Optional<Reason> obstacle(
      CouponId couponId, Campaign campaign, Map<CouponId, Coupon> drafts) {
    var coupon = drafts.get(couponId);
    if (coupon == null) {
      return Optional.of(Reason.UNKNOWN_COUPON);
    }
    if (coupon.isPublished()) {
      return Optional.of(Reason.NOT_DRAFT);
    }
    if (coupon.campaign() != null) {
      return Optional.of(Reason.IN_ANOTHER_CAMPAIGN);
    }
    if (!coupon.definition().returnsToStock()) {
      return Optional.of(Reason.DOES_NOT_RETURN_TO_STOCK);
    }
    var first = drafts.get(campaign.couponIds().getFirst());
    return first != null && first.stockBackend() != coupon.stockBackend()
        ? Optional.of(Reason.OTHER_BACKEND)
        : Optional.empty();
  }

  /** The coupons get the partition of the first one. */
  private CampaignRepository.Outcome define(
      Campaign campaign, Map<CouponId, Coupon> drafts, Actor actor) {
    var members = campaign.couponIds().stream().map(drafts::get).map(Objects::requireNonNull);
    var partition = Objects.requireNonNull(drafts.get(campaign.couponIds().getFirst())).partition();
    return campaigns.define(
        campaign,
        members.map(draft -> draft.join(campaign, partition)).toList(),
        actor,
        clock.instant());
  }

  /**
   * The campaign of that id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Campaign> find(CampaignId campaignId) {
    return campaigns.find(campaignId);
  }
}
