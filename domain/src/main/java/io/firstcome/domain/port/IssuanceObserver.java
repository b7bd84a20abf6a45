package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.reconciliation.Discrepancy;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.util.List;

/**
 * Receives what is reported as metrics and log lines. Calls are on the claim path: implementations
 * return at once and never throw. Every method is optional.
 */
public interface IssuanceObserver {

  /** A claim call ended, successfully or not. */
  default void claimCallEnded(CouponId couponId, int claims, Duration took, boolean answered) {}

  /** Log entries were published. */
  default void relayed(int entries, boolean again) {}

  /** Events were published to other systems. */
  default void eventsPublished(int events) {}

  /**
   * A round of background work failed and will be retried.
   *
   * @param cause may be an {@link Error}, which does not end the work either
   */
  default void roundFailed(String round, Throwable cause) {}

  /** The recording of a claim ended with this outcome. */
  default void recorded(CouponId couponId, RecordOutcome outcome) {}

  /**
   * The stock's acceptance time of a claim is impossible by the database's clock. The row has the
   * nearest possible time.
   *
   * @param ahead how much later the stock's time is than that of the row; negative if earlier
   */
  default void acceptedAtImplausibleTime(CouponId couponId, Duration ahead) {}

  /**
   * A clock differs from the database's by too much, and did not when it was last compared.
   *
   * @param ahead of the database's clock; negative if it is behind
   */
  default void clockDiffers(String clock, Duration ahead) {}

  /** A clock that was reported agrees with the database's again. */
  default void clockAgrees(String clock) {}

  /** A claim cannot be recorded as it is and became a dead letter. */
  default void setAside(CouponId couponId, String reason) {}

  /** A message was delivered too often, or cannot be read, and became a dead letter. */
  default void messageSetAside(String reason) {}

  /**
   * The recording of a dead letter was retried.
   *
   * @param recorded whether that succeeded and the letter is deleted
   */
  default void deadLetterReplayed(DeadLetterId id, boolean recorded) {}

  /** An entry of the log cannot be read by this release, and stays in the log. */
  default void entryUnreadable(Partition partition, String entryId, String reason) {}

  /**
   * Work on a coupon was left to other instances, because this one does not have the code key of
   * that version. It had no effect here.
   */
  default void codeKeyMissing(CouponId couponId, int version) {}

  /**
   * The claims of the coupon cannot be recorded, because another session holds a lock on its rows.
   * They are stored, and recorded when the lock is released.
   */
  default void couponLocked(CouponId couponId) {}

  /**
   * A coupon's row is not a valid coupon, such as after a manual change: it is skipped, and its
   * claims are refused.
   *
   * @param couponId as it is stored
   */
  default void couponUnreadable(String couponId, RuntimeException cause) {}

  /** Recording waits for the database. */
  default void recordingPaused(Exception cause) {}

  /** Scripts of this release were missing on the stock's server and were loaded. */
  default void scriptsLoaded() {}

  /** Late claims of a coupon were settled. */
  default void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {}

  /** A step of a partition's recovery is done. */
  default void recoveryStep(Partition partition, Epoch epoch, String step) {}

  /** Stock, log and database of a coupon were compared, with any result. */
  default void couponCompared(CouponId couponId, Duration took) {}

  /**
   * Stock, log and database of a coupon disagree.
   *
   * @param healing whether a recovery of its partition was requested, or its terms are applied to
   *     the stock again; false if neither can help, or if an earlier recovery has not helped
   */
  default void discrepanciesFound(
      CouponId couponId, List<Discrepancy> discrepancies, boolean healing) {}

  /**
   * The stock had a revision of a coupon that the database does not know, so the database has lost
   * operators' changes. The terms in the database get a later revision, so that they replace those
   * of the stock.
   *
   * @param inStock the revision that the stock had
   * @param raisedTo the revision that the coupon has now
   */
  default void revisionRaised(CouponId couponId, int inStock, int raisedTo) {}

  /** A large coupon is being rebuilt, and this number of its rows is processed. */
  default void rebuilding(CouponId couponId, long rows) {}

  /**
   * A coupon's stock was rebuilt.
   *
   * @param rows of the coupon
   * @param unrecorded claims that the ledger has and the database has no row of
   */
  default void couponRebuilt(CouponId couponId, long rows, long unrecorded, Duration took) {}

  /**
   * A coupon's stock was not rebuilt, because of its data in database or stock. Its calls are
   * fenced until a later recovery rebuilds it; the partition is opened for all other coupons.
   */
  default void couponNotRebuilt(CouponId couponId, RuntimeException failure) {}

  /** A partition cannot be recovered without an operator. */
  default void recoveryStopped(Partition partition, String reason) {}

  /** A server setting weakens a promise, and did not when it was last read. */
  default void weaknessFound(Weakness weakness) {}

  /** A reported weakness is gone. */
  default void weaknessGone(Weakness weakness) {}

  /** Does nothing. */
  static IssuanceObserver silent() {
    return new IssuanceObserver() {};
  }
}
