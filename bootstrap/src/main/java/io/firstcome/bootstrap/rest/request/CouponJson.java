package io.firstcome.bootstrap.rest.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON shapes of a coupon. In a request any member may be missing until it is validated. */
public final class CouponJson {

  private CouponJson() {}

  /** The definition in an operator's request. */
  public record Definition(
      @Nullable String couponId,
      @Nullable String name,
      @Nullable Integer totalQuantity,
      @Nullable DiscountJson discount,
      @Nullable MoneyJson minimumOrder,
      @Nullable String opensAt,
      @Nullable String closesAt,
      @Nullable ValidityJson validity,
      @Nullable Boolean returnsToStock,
      @Nullable WaitingRoomJson waitingRoom,
      @Nullable String archiveAfter,
      @Nullable String stockBackend,
      @Nullable Boolean draft) {}

  /** An amount in minor units of a currency. */
  public record MoneyJson(@Nullable Long minorUnits, @Nullable String currency) {}

  /** Either kind of discount. */
  @JsonInclude(Include.NON_NULL)
  public record DiscountJson(
      @Nullable String type,
      @Nullable MoneyJson amountOff,
      @Nullable Integer basisPoints,
      @Nullable String currency,
      @Nullable MoneyJson cap) {}

  /** Either kind of validity. */
  @JsonInclude(Include.NON_NULL)
  public record ValidityJson(@Nullable String until, @Nullable Integer days) {}

  /** A campaign: its coupons, and how many of them each user can have. */
  public record CampaignJson(
      @Nullable String campaignId,
      @Nullable Integer limitPerUser,
      @Nullable List<@Nullable String> couponIds) {}

  /**
   * The campaign of a coupon. Customers see it, so it does not name the other coupons, which may be
   * drafts.
   */
  public record CampaignOfCouponJson(String campaignId, int limitPerUser) {}

  /** The queue in front of a coupon. */
  public record WaitingRoomJson(
      @Nullable String mode,
      @Nullable String order,
      @Nullable String joinsFrom,
      @Nullable Integer admissionsPerSecond,
      @Nullable String admissionTime,
      @Nullable Boolean paused,
      @Nullable Boolean challenge) {}

  /**
   * The view of a coupon.
   *
   * @param remaining slots that can still be claimed; absent if that is not known at the moment
   * @param revision counts the changes by operators, from 1
   * @param serverTime when it was read
   */
  @JsonInclude(Include.NON_NULL)
  public record View(
      String couponId,
      String name,
      String status,
      String phase,
      int totalQuantity,
      @Nullable Integer remaining,
      String opensAt,
      String closesAt,
      DiscountJson discount,
      @Nullable MoneyJson minimumOrder,
      ValidityJson validity,
      boolean returnsToStock,
      @Nullable WaitingRoomJson waitingRoom,
      @Nullable String archiveAfter,
      @Nullable CampaignOfCouponJson campaign,
      int revision,
      String createdAt,
      String updatedAt,
      @Nullable String serverTime) {

    /** The same without the time, which differs in each view of the same coupon. */
    public View withoutServerTime() {
      return new View(
          couponId,
          name,
          status,
          phase,
          totalQuantity,
          remaining,
          opensAt,
          closesAt,
          discount,
          minimumOrder,
          validity,
          returnsToStock,
          waitingRoom,
          archiveAfter,
          campaign,
          revision,
          createdAt,
          updatedAt,
          null);
    }
  }

  /** The view of the coupon. */
  public static View view(ReadCoupon.View read) {
    var coupon = read.coupon();
    var definition = coupon.definition();
    var minimumOrder = definition.minimumOrder();
    var waitingRoom = definition.waitingRoom();
    var campaign = coupon.campaign();
    return new View(
        coupon.id().value(),
        definition.name(),
        coupon.status().name(),
        read.phase().name(),
        definition.totalQuantity(),
        read.remaining().orElse(null),
        definition.window().opensAt().toString(),
        definition.window().closesAt().toString(),
        discount(definition.discount()),
        minimumOrder == null ? null : money(minimumOrder),
        validity(definition.validity()),
        definition.returnsToStock(),
        waitingRoom == null ? null : waitingRoom(waitingRoom),
        archiveAfter(definition),
        campaign == null
            ? null
            : new CampaignOfCouponJson(campaign.id().value(), campaign.limitPerUser()),
        coupon.revision(),
        millis(read.stored().definedAt()),
        millis(read.stored().changedAt()),
        millis(read.at()));
  }

  /** The definition as in a request that would define the same coupon again. */
  public static Definition definition(CouponDefinition definition) {
    var minimumOrder = definition.minimumOrder();
    var waitingRoom = definition.waitingRoom();
    return new Definition(
        definition.couponId().value(),
        definition.name(),
        definition.totalQuantity(),
        discount(definition.discount()),
        minimumOrder == null ? null : money(minimumOrder),
        definition.window().opensAt().toString(),
        definition.window().closesAt().toString(),
        validity(definition.validity()),
        definition.returnsToStock(),
        waitingRoom == null ? null : waitingRoom(waitingRoom),
        archiveAfter(definition),
        null,
        null);
  }

  private static String millis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static @Nullable String archiveAfter(CouponDefinition definition) {
    var time = definition.archiveAfter();
    if (time == null) {
      return null;
    }
    return time.equals(Duration.ofDays(time.toDays()))
        ? "P%dD".formatted(time.toDays())
        : time.toString();
  }

  /** The view of the campaign. */
  public static CampaignJson campaign(Campaign campaign) {
    return new CampaignJson(
        campaign.id().value(),
        campaign.limitPerUser(),
        new ArrayList<>(campaign.couponIds().stream().map(CouponId::value).toList()));
  }

  public static MoneyJson money(Money money) {
    return new MoneyJson(money.minorUnits(), money.currency().getCurrencyCode());
  }

  private static DiscountJson discount(Discount discount) {
    return switch (discount) {
      case Discount.Amount(Money money) ->
          new DiscountJson("AMOUNT", money(money), null, null, null);
      case Discount.Percent percent -> {
        var cap = percent.cap();
        yield new DiscountJson(
            "PERCENT",
            null,
            percent.basisPoints(),
            percent.currency().getCurrencyCode(),
            cap == null ? null : money(cap));
      }
    };
  }

  private static WaitingRoomJson waitingRoom(WaitingRoom room) {
    return new WaitingRoomJson(
        room.mode().name(),
        room.order().name(),
        room.joinsFrom().toString(),
        room.admissionsPerSecond(),
        room.admissionTime().toString(),
        room.isPaused(),
        room.isChallenged());
  }

  private static ValidityJson validity(Validity validity) {
    return switch (validity) {
      case Validity.Until(var until) -> new ValidityJson(until.toString(), null);
      case Validity.Days(int days) -> new ValidityJson(null, days);
    };
  }
}
