package io.firstcome.domain.observation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;

/** Observations of the recovery of partitions and of their coupons' stock. */
public sealed interface RecoveryObservation extends Observation {

  /** A step of a partition's recovery is done. */
  record StepDone(Partition partition, Epoch epoch, Step step) implements RecoveryObservation {}

  /** The steps of a partition's recovery that are reported, in their order. */
  enum Step {
    EPOCH_RAISED,
    FENCED,
    LOG_READ,
    OPEN
  }

  /** A partition cannot be recovered without an operator. */
  record Stopped(Partition partition, String reason) implements RecoveryObservation {}

  /**
   * The coupons of a partition are being rebuilt.
   *
   * @param coupons which are rebuilt, of all that are to be rebuilt
   */
  record PartitionProgress(Partition partition, Epoch epoch, Completion coupons)
      implements RecoveryObservation {}

  /**
   * A large coupon is being rebuilt.
   *
   * @param rows that are processed, of the most that it has unless slots went back to stock
   */
  record CouponProgress(CouponId couponId, Partition partition, Completion rows)
      implements RecoveryObservation {}

  /**
   * A coupon's stock was rebuilt.
   *
   * @param rows of the coupon
   * @param unrecorded claims that the ledger has and the database has no row of
   */
  record CouponRebuilt(CouponId couponId, long rows, long unrecorded, Duration took)
      implements RecoveryObservation {}

  /**
   * A coupon's stock was not rebuilt, because of its data in database or stock. Its calls are
   * fenced until a recovery in a later epoch rebuilds it; the partition is opened for all other
   * coupons.
   */
  record CouponNotRebuilt(
      CouponId couponId, Partition partition, Epoch epoch, RuntimeException failure)
      implements RecoveryObservation {}
}
