package io.firstcome.application.usercoupon;

import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Finds redemptions, current and ended ones. */
public final class FindRedemptions {

  /** User coupons of one order that are listed; more than a checkout takes. */
  private static final int MAX_OF_ORDER = 100;

  private final UserCouponRepository userCoupons;
  private final InstantSource clock;

  public FindRedemptions(UserCouponRepository userCoupons, InstantSource clock) {
    this.userCoupons = userCoupons;
    this.clock = clock;
  }

  /**
   * A redemption with its state now.
   *
   * @param recorded as it was last recorded
   */
  public record Found(RecordedRedemption recorded, State state) {}

  /**
   * The redemption, if the caller may see it: a shop sees its own, an owner those of its user
   * coupons.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Optional<Found> find(RedemptionId id, Redeemer by) {
    return userCoupons
        .findRedemption(id)
        .filter(recorded ->
            switch (by) {
              case Redeemer.Owner owner -> isOf(owner, id);
              case Redeemer.Shop _, Redeemer.Operator _ -> by.mayEnd(recorded.redemption());
            })
        .map(this::now);
  }

  private boolean isOf(Redeemer.Owner owner, RedemptionId id) {
    return userCoupons.find(id.userCouponId()).map(UserCoupon::userId).stream()
        .anyMatch(owner.userId()::equals);
  }

  /**
   * The redemptions of the shop's order, at most a hundred, ordered by user coupon.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public List<Found> ofOrder(ShopId shop, OrderId order) {
    return userCoupons.redemptions(shop, order, MAX_OF_ORDER).stream().map(this::now).toList();
  }

  private Found now(RecordedRedemption recorded) {
    return new Found(recorded, recorded.stateAt(clock.instant()));
  }
}
