package io.firstcome.domain.coupon;

import java.util.Collection;
import java.util.List;

/**
 * Coupons of which each user can have only some. A user coupon counts from its claim until it is
 * returned or revoked, also after it was used or has expired.
 *
 * <p>The limit is enforced with the claim, by a stock that has the claims of all these coupons. So
 * they are in one partition and one backend, and the campaign does not change: an instance that
 * does not know of a later change would exceed the limit.
 *
 * @param limitPerUser how many of the coupons a user can have, at least 1 and fewer than there are
 * @param couponIds {@value #MIN_COUPONS} to {@value #MAX_COUPONS} coupons, ordered by id
 */
public record Campaign(CampaignId id, int limitPerUser, List<CouponId> couponIds) {

  public static final int MIN_COUPONS = 2;

  /** A claim of one of them reads the ledgers of all others. */
  public static final int MAX_COUPONS = 20;

  public Campaign {
    requireCoupons(couponIds);
    if (limitPerUser < 1 || limitPerUser >= couponIds.size()) {
      throw new InvalidMemberException(
          "limitPerUser",
          "must be at least 1 and less than the number of coupons: " + limitPerUser);
    }
    couponIds = couponIds.stream().sorted().toList();
  }

  /**
   * Checks the coupons of a campaign and returns them.
   *
   * @throws IllegalArgumentException if there are too few or too many, or one is named twice
   */
  public static List<CouponId> requireCoupons(Collection<CouponId> couponIds) {
    if (couponIds.size() < MIN_COUPONS
        || couponIds.size() > MAX_COUPONS
        || couponIds.stream().distinct().count() != couponIds.size()) {
      throw new InvalidMemberException(
          "couponIds", "must be %d to %d different ids".formatted(MIN_COUPONS, MAX_COUPONS));
    }
    return List.copyOf(couponIds);
  }

  /** Its coupons without that one. */
  public List<CouponId> others(CouponId couponId) {
    return couponIds.stream().filter(other -> !other.equals(couponId)).toList();
  }
}
