package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import java.util.List;
import java.util.Optional;

/**
 * Finds what lives in partitions that this deployment does not have, because it has fewer than it
 * had before. A coupon keeps the partition that it was defined in, so nothing would open, record or
 * recover it. An archived coupon needs no partition once its stock is removed and its late claims
 * are settled.
 */
public final class FindCouponsBeyondPartitions {

  /** More than are named, to show the operator that there are many. */
  private static final int COUPONS_READ = 100;

  private final CouponRepository coupons;
  private final LateClaimRepository lateClaims;
  private final int partitions;

  public FindCouponsBeyondPartitions(
      CouponRepository coupons, LateClaimRepository lateClaims, int partitions) {
    this.coupons = coupons;
    this.lateClaims = lateClaims;
    this.partitions = partitions;
  }

  /**
   * What lives beyond the partitions.
   *
   * @param needed the number of partitions with which nothing does
   * @param coupons some of the coupons that do; none where only late claims are left
   * @param more whether there may be more of them
   */
  public record Beyond(int needed, List<CouponId> coupons, boolean more) {

    public Beyond {
      coupons = List.copyOf(coupons);
    }
  }

  /**
   * What there is, if anything.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public Optional<Beyond> find() {
    if (partitions == Partition.MAX_PARTITIONS) {
      return Optional.empty();
    }
    var first = new Partition(partitions);
    var found = coupons.withStockFrom(first, COUPONS_READ);
    int highest =
        Math.max(
            found.isEmpty() ? 0 : found.getFirst().partition().number(),
            lateClaims.highestPartition().map(Partition::number).orElse(0));
    return highest < partitions
        ? Optional.empty()
        : Optional.of(
            new Beyond(
                highest + 1,
                found.stream().map(Coupon::id).toList(),
                found.size() == COUPONS_READ));
  }
}
