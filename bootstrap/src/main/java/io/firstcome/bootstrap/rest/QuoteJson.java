package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.bootstrap.rest.CouponJson.MoneyJson;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.Offer;
import io.firstcome.domain.usercoupon.Quote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a customer's coupons are worth on an order.
 *
 * @param best the one to take; left out where none applies
 * @param all best first, then those that do not apply, newest first
 */
@JsonInclude(Include.NON_NULL)
record QuoteJson(@Nullable BestJson best, List<OfferJson> all) {

  /** The order: of a request, so any member may be missing until it was checked. */
  record Wanted(@Nullable String orderId, @Nullable MoneyJson amount) {}

  /** The offer to take. */
  record BestJson(String userCouponId, MoneyJson discount) {}

  /**
   * What one coupon is worth.
   *
   * @param discount 0 where the coupon does not apply
   * @param reason why it does not apply; left out where it does
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
