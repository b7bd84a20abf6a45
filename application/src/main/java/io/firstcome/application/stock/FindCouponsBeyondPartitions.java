package io.firstcome.application.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import java.util.List;
import java.util.Optional;

/**
 * Finds coupons and late claims in partitions that this deployment does not have, because it has
 * fewer than before. A coupon keeps the partition that it was defined in, so the coupon would never
 * be opened, recorded or recovered. An archived coupon needs no partition once its stock is removed
 * and its late claims are settled.
 */
public final class FindCouponsBeyondPartitions {

  /** More than are reported, to show the operator that there are many. */
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
   * The coupons and late claims beyond the partitions.
   *
   * @param needed the number of partitions that includes all of them
   * @param coupons some of the coupons; none if only late claims are left
   * @param more whether there may be more coupons
   */
  public record Beyond(int needed, List<CouponId> coupons, boolean more) {

    public Beyond {
      coupons = List.copyOf(coupons);
    }
  }

  /**
   * The coupons and late claims beyond the partitions, if there are any.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
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
