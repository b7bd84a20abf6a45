package io.firstcome.bootstrap.rest.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
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
      @Nullable String stockBackend) {}

  /** An amount in minor units of a currency. */
  public record MoneyJson(@Nullable Long minorUnits, @Nullable String currency) {}

  /** Either kind of discount. */
  @JsonInclude(Include.NON_NULL)
  public record DiscountJson(
      @Nullable String type,
      @Nullable Long minorUnits,
      @Nullable Integer basisPoints,
      @Nullable String currency,
      @Nullable MoneyJson cap) {}

  /** Either kind of validity. */
  @JsonInclude(Include.NON_NULL)
  public record ValidityJson(@Nullable String until, @Nullable Integer days) {}

  /** The queue in front of a coupon. */
  public record WaitingRoomJson(@Nullable Integer admissionsPerSecond) {}

  /** The public view of a coupon. */
  @JsonInclude(Include.NON_NULL)
  public record View(
      String couponId,
      String name,
      String status,
      int totalQuantity,
      @Nullable Integer remaining,
      String opensAt,
      String closesAt,
      DiscountJson discount,
      @Nullable MoneyJson minimumOrder,
      ValidityJson validity,
      boolean returnsToStock,
      @Nullable WaitingRoomJson waitingRoom) {}

  /**
   * The public view of the coupon.
   *
   * @param remaining slots that can still be claimed, or null if that is not known at the moment
   */
  public static View view(Coupon coupon, @Nullable Integer remaining) {
    var definition = coupon.definition();
    var minimumOrder = definition.minimumOrder();
    var waitingRoom = definition.waitingRoom();
    return new View(
        coupon.id().value(),
        definition.name(),
        coupon.status().name(),
        definition.totalQuantity(),
        remaining,
        definition.window().opensAt().toString(),
        definition.window().closesAt().toString(),
        discount(definition.discount()),
        minimumOrder == null ? null : money(minimumOrder),
        validity(definition.validity()),
        definition.returnsToStock(),
        waitingRoom == null ? null : new WaitingRoomJson(waitingRoom.admissionsPerSecond()));
  }

  public static MoneyJson money(Money money) {
    return new MoneyJson(money.minorUnits(), money.currency().getCurrencyCode());
  }

  private static DiscountJson discount(Discount discount) {
    return switch (discount) {
      case Discount.Amount(Money money) ->
          new DiscountJson(
              "AMOUNT", money.minorUnits(), null, money.currency().getCurrencyCode(), null);
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

  private static ValidityJson validity(Validity validity) {
    return switch (validity) {
      case Validity.Until(var until) -> new ValidityJson(until.toString(), null);
      case Validity.Days(int days) -> new ValidityJson(null, days);
    };
  }
}
