package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    OTHER_BACKEND,
    /**
     * Its code key is another one than that of the first coupon. The pseudonym of a user who was
     * erased depends on the key, and must be the same in all coupons that count for the limit.
     */
    OTHER_CODE_KEY
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
      if (drafts.values().stream().noneMatch(draft -> isIn(campaign.id(), draft))) {
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
    }
    return new Result.ConcurrentChange();
  }

  /** Then the campaign was defined after it was looked for. */
  private static boolean isIn(CampaignId campaignId, Coupon coupon) {
    var campaign = coupon.campaign();
    return campaign != null && campaign.id().equals(campaignId);
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
    if (first != null && first.stockBackend() != coupon.stockBackend()) {
      return Optional.of(Reason.OTHER_BACKEND);
    }
    return first != null && first.codeKeyVersion() != coupon.codeKeyVersion()
        ? Optional.of(Reason.OTHER_CODE_KEY)
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

  /** The result of a deletion. */
  public sealed interface Deletion {

    /** It is deleted, and its coupons are drafts without a campaign. */
    record Done() implements Deletion {}

    /** That coupon of it is published; nothing changed. */
    record Published(CouponId couponId) implements Deletion {}

    /** Each attempt met a concurrent change of a coupon; nothing changed. */
    record ConcurrentChange() implements Deletion {}

    /** There is no such campaign. */
    record Unknown() implements Deletion {}
  }

  /**
   * Deletes a campaign of which no coupon is published.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the deletion
   */
  public Deletion delete(CampaignId campaignId, Actor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      var campaign = campaigns.find(campaignId).orElse(null);
      if (campaign == null) {
        return new Deletion.Unknown();
      }
      var members =
          coupons.findAll(campaign.couponIds()).stream()
              .filter(coupon -> campaign.equals(coupon.campaign()))
              .sorted(Comparator.comparing(Coupon::id))
              .toList();
      var published = members.stream().filter(Coupon::isPublished).findFirst();
      if (published.isPresent()) {
        return new Deletion.Published(published.get().id());
      }
      var leaves = members.stream().map(Coupon::leaveCampaign).toList();
      if (campaigns.delete(campaign, leaves, actor, clock.instant())) {
        return new Deletion.Done();
      }
    }
    return new Deletion.ConcurrentChange();
  }

  /**
   * A page of campaigns.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<Campaign> items, @Nullable CampaignId next) {}

  /**
   * A page of all campaigns, ordered by id.
   *
   * @param after the {@code next} of the previous page, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Page page(@Nullable CampaignId after, int max) {
    var found = campaigns.page(after, max + 1);
    var items = found.stream().limit(max).toList();
    return new Page(items, found.size() > max ? items.getLast().id() : null);
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
