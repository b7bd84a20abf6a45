package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepted claims that could not be recorded as they were delivered, because their epoch had ended,
 * the recorder did not have the coupon's code key, or somebody else had locked the coupon; and
 * those of them that ended without a slot. Failures are {@link DatabaseUnavailableException}s.
 */
public interface LateClaimRepository {

  /**
   * Keeps the claims; one of the same coupon and user that is there already stays as it is, and one
   * that was rejected is not kept again. It does not wait for locks on the coupons' rows or on
   * those of their partitions.
   *
   * @throws UnrecordableException if one is of a coupon that does not exist; none is kept
   */
  void add(List<LateClaim> claims);

  /**
   * Late claims of one coupon of the partition, by promised slot: of the first coupon by id that
   * has any; empty where none has.
   *
   * @param after a coupon that is passed over, together with all before it; or null for none
   */
  List<LateClaim> next(Partition partition, @Nullable CouponId after, int max);

  /** The highest partition that has late claims; empty where there are none. */
  Optional<Partition> highestPartition();

  /**
   * Late claims of the coupon, by user id.
   *
   * @param after the last user of the page before, or null
   */
  List<LateClaim> page(CouponId couponId, @Nullable UserId after, int max);

  /** The late claims of the coupon that those of the users have. */
  Map<UserId, LateClaim> waiting(CouponId couponId, Collection<UserId> users);

  /**
   * Ends late claims of one coupon in one transaction that holds the partition's epoch: writes rows
   * for the adopted, remembers the rejected, and deletes the claims of all three lists.
   *
   * @param adopted with the slots that the stock gave them in {@code epoch}
   * @param rejected those for whom none was left
   * @param done those for whom there is nothing to write
   * @return the users whose claim stays, because another user's live row holds the adopted slot, or
   *     the slot is above the coupon's total; or all of them if the partition is not in {@code
   *     epoch} any more
   * @throws UnrecordableException as {@link UserCouponRepository#record} does
   */
  Set<UserId> settle(
      Partition partition,
      Epoch epoch,
      CouponId couponId,
      List<AcceptedClaim> adopted,
      List<UserId> rejected,
      List<UserId> done,
      Instant now);

  /** Whether the user's claim of the coupon was rejected. */
  boolean isRejected(CouponId couponId, UserId userId);

  /**
   * Users whose claim of the coupon was rejected, by user id.
   *
   * @param after the last user of the page before, or null
   */
  List<UserId> rejected(CouponId couponId, @Nullable UserId after, int max);
}
