package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.UserId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepted claims that could not be recorded when they were delivered, because their epoch had
 * ended, the recorder did not have the coupon's code key, or another session had locked the coupon;
 * and those of them that were rejected. Failures are {@link DatabaseUnavailableException}s.
 */
public interface LateClaimRepository {

  /**
   * Stores the claims. A stored one of the same coupon and user stays unchanged, and a rejected one
   * is not stored again. Does not wait for locks on the rows of coupons and partitions.
   *
   * @throws UnrecordableException if a coupon does not exist; no claim is stored
   */
  void add(List<LateClaim> claims);

  /**
   * Late claims of the partition's first coupon by id that has any, ordered by promised slot; empty
   * if none has.
   *
   * @param after the coupon up to which all are skipped, or null for none
   */
  List<LateClaim> next(Partition partition, @Nullable CouponId after, int max);

  /** How many there are, or {@code max} if there are more. */
  int count(int max);

  /** The highest partition that has late claims; empty if there are none. */
  Optional<Partition> highestPartition();

  /**
   * Late claims of the coupon, ordered by user id.
   *
   * @param after the last user of the previous page, or null
   */
  List<LateClaim> page(CouponId couponId, @Nullable UserId after, int max);

  /** The late claims of the coupon of these users. */
  Map<UserId, LateClaim> waiting(CouponId couponId, Collection<UserId> users);

  /**
   * Settles late claims of one coupon in one transaction that locks the partition's epoch: writes
   * rows for the adopted, notes the rejected, and deletes the claims of all three lists.
   *
   * @return the users whose claim stays, because another user's live row holds the adopted slot, or
   *     the slot is above the coupon's total; or all of them if the partition is not in the
   *     settlement's epoch any more
   * @throws UnrecordableException as {@link UserCouponRepository#record} does
   */
  Set<UserId> settle(LateClaimSettlement settlement);

  /** The late claims of the user of these coupons. */
  Map<CouponId, LateClaim> waiting(UserId user, Collection<CouponId> couponIds);

  /** Those of the coupons of which the user's claim was rejected. */
  Set<CouponId> rejected(UserId user, Collection<CouponId> couponIds);

  /** Whether the user's claim of the coupon was rejected. */
  boolean isRejected(CouponId couponId, UserId userId);

  /**
   * Users whose claim of the coupon was rejected, ordered by user id.
   *
   * @param after the last user of the previous page, or null
   */
  List<UserId> rejected(CouponId couponId, @Nullable UserId after, int max);
}
