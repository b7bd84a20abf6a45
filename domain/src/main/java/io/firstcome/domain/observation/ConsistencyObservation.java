package io.firstcome.domain.observation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.util.List;

/** Observations of whether stock, log and database agree. */
public sealed interface ConsistencyObservation extends Observation {

  /** Stock, log and database of a coupon were compared, with any result. */
  record CouponCompared(CouponId couponId, Duration took) implements ConsistencyObservation {}

  /**
   * Stock, log and database of a coupon disagree.
   *
   * @param healing whether a recovery of its partition was requested, or its terms are applied to
   *     the stock again; false if neither can help, or if an earlier recovery has not helped
   */
  record DiscrepanciesFound(CouponId couponId, List<Discrepancy> discrepancies, boolean healing)
      implements ConsistencyObservation {

    public DiscrepanciesFound {
      discrepancies = List.copyOf(discrepancies);
    }
  }

  /**
   * The stock had a revision of a coupon that the database does not know, so the database has lost
   * operators' changes. The terms in the database get a later revision, so that they replace those
   * of the stock.
   *
   * @param inStock the revision that the stock had
   * @param raisedTo the revision that the coupon has now
   */
  record RevisionRaised(CouponId couponId, int inStock, int raisedTo)
      implements ConsistencyObservation {}

  /**
   * A coupon's row is not a valid coupon, such as after a manual change: it is skipped, and its
   * claims are refused.
   *
   * @param couponId as it is stored
   */
  record CouponUnreadable(String couponId, RuntimeException cause)
      implements ConsistencyObservation {}
}
