package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.DeadLetterId;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.util.List;

/**
 * Is told what happens inside, to make metrics and log lines of it. Calls are on the claim path:
 * implementations return at once and never throw. What an observer does not care for it leaves out.
 */
public interface IssuanceObserver {

  /** A claim call came back, well or not. */
  default void claimCallEnded(CouponId couponId, int claims, Duration took, boolean answered) {}

  /** Log entries were published. */
  default void relayed(int entries, boolean again) {}

  /** Events were published to other systems. */
  default void eventsPublished(int events) {}

  /**
   * Relay, sweep or worker could not do its round and will try again.
   *
   * @param cause an {@link Error} too: it ends no work either
   */
  default void roundFailed(String round, Throwable cause) {}

  /** A claim was recorded or found not to need it. */
  default void recorded(CouponId couponId, RecordOutcome outcome) {}

  /**
   * The stock says that a claim was accepted at a time that the database's clock rules out. Its row
   * has the nearest time that is possible.
   *
   * @param ahead how much later the stock's time is than that of the row; negative where earlier
   */
  default void acceptedAtImplausibleTime(CouponId couponId, Duration ahead) {}

  /**
   * A clock differs from the database's by more than clocks may, and did not when it was last
   * compared.
   *
   * @param ahead of the database's clock; negative where it is behind
   */
  default void clockDiffers(String clock, Duration ahead) {}

  /** A clock that was reported agrees with the database's again. */
  default void clockAgrees(String clock) {}

  /** A claim can never be recorded as it stands and became a dead letter. */
  default void setAside(CouponId couponId, String reason) {}

  /** A message was delivered too often, or cannot be read, and became a dead letter. */
  default void messageSetAside(String reason) {}

  /**
   * The recording of a dead letter was tried again.
   *
   * @param recorded whether the letter is gone for that
   */
  default void deadLetterReplayed(DeadLetterId id, boolean recorded) {}

  /** An entry of the log cannot be read by this release, and stays where it is. */
  default void entryUnreadable(Partition partition, String entryId, String reason) {}

  /**
   * Something of a coupon was left to other instances, because this one does not have the code key
   * of that version. It had no effect here.
   */
  default void codeKeyMissing(CouponId couponId, int version) {}

  /**
   * The claims of the coupon cannot be recorded, because somebody else holds a lock on its rows.
   * They are kept, and recorded when the lock is gone.
   */
  default void couponLocked(CouponId couponId) {}

  /**
   * What is stored of the coupon is no coupon, such as after a change by hand: it is left out, and
   * its claims are refused.
   *
   * @param couponId as it is stored
   */
  default void couponUnreadable(String couponId, RuntimeException cause) {}

  /** Recording waits for the database. */
  default void recordingPaused(Exception cause) {}

  /** The stock's server did not know scripts of this release, and was given them. */
  default void scriptsLoaded() {}

  /** Late claims of a coupon came to their end. */
  default void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {}

  /** A step of a partition's recovery is done. */
  default void recoveryStep(Partition partition, Epoch epoch, String step) {}

  /** Stock, log and database of a coupon were compared, whatever was found. */
  default void couponCompared(CouponId couponId, Duration took) {}

  /**
   * Stock, log and database of a coupon disagree.
   *
   * @param healing whether recovery of its partition was started for that, or its terms are brought
   *     to the stock again; false where nothing but waiting is to be done, or where a recovery
   *     before has not helped
   */
  default void discrepanciesFound(
      CouponId couponId, List<Discrepancy> discrepancies, boolean healing) {}

  /**
   * The stock had a revision of a coupon that the database does not know, so operators' changes
   * were lost with a part of the database. The terms that the database has are given a later
   * revision, so that they replace those of the stock.
   *
   * @param inStock the revision that the stock had
   * @param raisedTo the revision that the coupon has now
   */
  default void revisionRaised(CouponId couponId, int inStock, int raisedTo) {}

  /** A large coupon is being rebuilt, and so many of its rows are done. */
  default void rebuilding(CouponId couponId, long rows) {}

  /**
   * A coupon's stock was rebuilt.
   *
   * @param rows that had their slots confirmed
   * @param unrecorded claims that the ledger knew and the database did not
   */
  default void couponRebuilt(CouponId couponId, long rows, long unrecorded, Duration took) {}

  /**
   * A coupon's stock was not rebuilt, because of what database or stock hold of it. It takes no
   * calls until a later recovery rebuilds it; the partition is opened for all others.
   */
  default void couponNotRebuilt(CouponId couponId, RuntimeException failure) {}

  /** A partition cannot be recovered without an operator. */
  default void recoveryStopped(Partition partition, String reason) {}

  /** A server is set in a way that weakens a promise, and was not when it was last asked. */
  default void weaknessFound(Weakness weakness) {}

  /** A weakness that was told of is not there any more. */
  default void weaknessGone(Weakness weakness) {}

  /** Does nothing. */
  static IssuanceObserver silent() {
    return new IssuanceObserver() {};
  }
}
