package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.Offer.Applicable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What user coupons are worth on an order, each by itself.
 *
 * @param order the amount of the order
 * @param offers those that apply, best first: the highest discount, then the earliest expiry, then
 *     by id. After them those that do not apply, newest first
 */
public record Quote(Money order, List<Offer> offers) {

  private static final Comparator<Applicable> BEST_FIRST =
      Comparator.comparingLong((Applicable offer) -> offer.discount().minorUnits())
          .reversed()
          .thenComparing(offer -> offer.userCoupon().ownership().expiresAt())
          .thenComparing(offer -> offer.userCoupon().id().toString());

  /** Sorts the offers. */
  public Quote {
    for (var offer : offers) {
      requireWithin(order, offer);
    }
    offers = Stream.concat(applicable(offers).sorted(BEST_FIRST), notApplicable(offers)).toList();
  }

  /** The best offer, if any applies. */
  public Optional<Applicable> best() {
    return applicable(offers).findFirst();
  }

  private static void requireWithin(Money order, Offer offer) {
    if (offer instanceof Applicable(_, Money discount)
        && (discount.minorUnits() == 0 || order.isLessThan(discount))) {
      throw new IllegalArgumentException(
          "discount must be positive and at most the order: %s of %s".formatted(discount, order));
    }
  }

  private static Stream<Applicable> applicable(List<Offer> offers) {
    return offers.stream().filter(Applicable.class::isInstance).map(Applicable.class::cast);
  }

  private static Stream<Offer> notApplicable(List<Offer> offers) {
    return offers.stream()
        .filter(offer -> !(offer instanceof Applicable))
        .sorted(Comparator.comparing(offer -> UserCouponCursor.of(offer.userCoupon())));
  }
}
