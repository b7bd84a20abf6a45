package io.firstcome.bootstrap.rest.redemption;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.Offer;
import io.firstcome.domain.usercoupon.Quote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The discounts of a customer's coupons on an order.
 *
 * @param best the best offer; absent if none applies
 * @param all best first, then those that do not apply, newest first
 */
@JsonInclude(Include.NON_NULL)
record QuoteJson(@Nullable BestJson best, List<OfferJson> all) {

  /** The order in a request; any member may be missing until it is validated. */
  public record Wanted(@Nullable String orderId, @Nullable MoneyJson amount) {}

  /** The same of a shop. */
  public record WantedByShop(
      @Nullable String customerId, @Nullable String orderId, @Nullable MoneyJson amount) {}

  /** The best offer. */
  record BestJson(String userCouponId, MoneyJson discount) {}

  /**
   * The discount of one coupon.
   *
   * @param discount 0 if the coupon does not apply
   * @param reason why it does not apply; absent if it applies
   */
  @JsonInclude(Include.NON_NULL)
  record OfferJson(
      String userCouponId, MoneyJson discount, boolean applicable, @Nullable String reason) {}

  static QuoteJson of(Quote quote) {
    var nothing = CouponJson.money(new Money(0, quote.order().currency()));
    return new QuoteJson(
        quote.best().map(QuoteJson::best).orElse(null),
        quote.offers().stream().map(offer -> offer(offer, nothing)).toList());
  }

  private static BestJson best(Offer.Applicable offer) {
    return new BestJson(offer.userCoupon().id().toString(), CouponJson.money(offer.discount()));
  }

  private static OfferJson offer(Offer offer, MoneyJson nothing) {
    var id = offer.userCoupon().id().toString();
    return switch (offer) {
      case Offer.Applicable(_, Money discount) ->
          new OfferJson(id, CouponJson.money(discount), true, null);
      case Offer.NotApplicable(_, var reason) -> new OfferJson(id, nothing, false, reason.name());
    };
  }
}
