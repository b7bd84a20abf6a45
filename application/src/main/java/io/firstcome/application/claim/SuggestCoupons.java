package io.firstcome.application.claim;

import io.firstcome.application.coupon.OpenCoupons;
import io.firstcome.application.stock.FreeSlots;
import io.firstcome.application.stock.PassedOver;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Worth;
import io.firstcome.domain.issuance.UserId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A customer asks which coupons to claim for an order. The answer is a suggestion: a coupon may be
 * sold out when it is claimed.
 */
public final class SuggestCoupons {

  static final int MAX_SUGGESTED = 10;

  /** Of so many of the best coupons, claims and free slots are looked up. */
  static final int MAX_CONSIDERED = 50;

  private static final Comparator<Suggestion> BEST_FIRST =
      Comparator.comparingLong((Suggestion each) -> each.discount().minorUnits())
          .reversed()
          .thenComparing(each -> each.coupon().definition().window().closesAt())
          .thenComparing(each -> each.coupon().id());

  private final OpenCoupons openCoupons;
  private final FindClaim findClaim;
  private final FreeSlots freeSlots;
  private final InstantSource clock;

  public SuggestCoupons(
      OpenCoupons openCoupons, FindClaim findClaim, FreeSlots freeSlots, InstantSource clock) {
    this.openCoupons = openCoupons;
    this.findClaim = findClaim;
    this.freeSlots = freeSlots;
    this.clock = clock;
  }

  /**
   * A coupon and what it takes off the order.
   *
   * @param remaining slots that can still be claimed, or empty if the stock is not reachable
   */
  public record Suggestion(Coupon coupon, Money discount, Optional<Integer> remaining) {}

  /**
   * At most {@value #MAX_SUGGESTED} coupons that the user can claim now and that take something off
   * the order: the highest discount first, then the earliest end of the window, then by id. At most
   * {@value #MAX_CONSIDERED} are considered, the best ones.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public List<Suggestion> suggest(UserId user, Money order) {
    var best = best(order);
    var claims = claims(user, best);
    var suggestions = new ArrayList<Suggestion>();
    var passedOver = new PassedOver();
    for (var each : best) {
      if (suggestions.size() == MAX_SUGGESTED) {
        break;
      }
      if (canClaim(each.coupon, claims)) {
        var remaining = freeSlots.of(each.coupon, passedOver);
        if (!remaining.equals(Optional.of(0))) {
          suggestions.add(new Suggestion(each.coupon, each.discount, remaining));
        }
      }
    }
    return suggestions;
  }

  private List<Suggestion> best(Money order) {
    var now = clock.instant();
    var worthwhile = new ArrayList<Suggestion>();
    for (var coupon : openCoupons.list()) {
      if (!coupon.id().isOfRehearsal()
          && now.isBefore(coupon.definition().window().closesAt())
          && coupon.worthOn(order) instanceof Worth.Off(Money discount)) {
        worthwhile.add(new Suggestion(coupon, discount, Optional.empty()));
      }
    }
    return worthwhile.stream().sorted(BEST_FIRST).limit(MAX_CONSIDERED).toList();
  }

  /**
   * The user's claims of these coupons, as far as they can be read at the moment, and the recorded
   * ones of other coupons of their campaigns.
   */
  private Map<CouponId, FindClaim.Result> claims(UserId user, List<Suggestion> best) {
    var ids = best.stream().map(each -> each.coupon.id()).collect(Collectors.toSet());
    var claims = findClaim.findAll(ids, user);
    var others =
        best.stream()
            .map(each -> each.coupon.campaign())
            .filter(Objects::nonNull)
            .flatMap(campaign -> campaign.couponIds().stream())
            .filter(couponId -> !ids.contains(couponId))
            .collect(Collectors.toSet());
    if (!others.isEmpty()) {
      claims.putAll(findClaim.recorded(others, user));
    }
    return claims;
  }

  private static boolean canClaim(Coupon coupon, Map<CouponId, FindClaim.Result> claims) {
    var claim = claims.get(coupon.id());
    if (claim != null && !(claim instanceof FindClaim.Result.None)) {
      return false;
    }
    var campaign = coupon.campaign();
    return campaign == null
        || campaign.couponIds().stream().filter(id -> counts(claims.get(id))).count()
            < campaign.limitPerUser();
  }

  /** Whether the claim counts towards the limit of its campaign. */
  private static boolean counts(FindClaim.@Nullable Result claim) {
    return switch (claim) {
      case FindClaim.Result.Accepted _ -> true;
      case FindClaim.Result.Recorded(var userCoupon) -> !userCoupon.slotWentBack();
      case FindClaim.Result.Rejected _,
          FindClaim.Result.Returned _,
          FindClaim.Result.None _,
          FindClaim.Result.UnknownCoupon _ ->
          false;
      case null -> false;
    };
  }
}
