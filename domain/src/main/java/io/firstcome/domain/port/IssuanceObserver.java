package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Partition;
import io.firstcome.domain.issuance.RecordOutcome;
import java.time.Duration;

/**
 * Is told what happens inside, to make metrics and log lines of it. Calls are on the claim path:
 * implementations return at once and never throw. What an observer does not care for it leaves out.
 */
public interface IssuanceObserver {

  /** A claim call came back, well or not. */
  default void claimCallEnded(CouponId couponId, int claims, Duration took, boolean answered) {}

  /** Log entries were published. */
  default void relayed(int entries, boolean again) {}

  /** Relay, sweep or worker could not do its round and will try again. */
  default void roundFailed(String round, Exception cause) {}

  /** A claim was recorded or found not to need it. */
  default void recorded(CouponId couponId, RecordOutcome outcome) {}

  /** A claim can never be recorded and was set aside. */
  default void setAside(CouponId couponId, String reason) {}

  /** Recording waits for the database. */
  default void recordingPaused(Exception cause) {}

  /** Late claims of a coupon came to their end. */
  default void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {}

  /** A step of a partition's recovery is done. */
  default void recoveryStep(Partition partition, Epoch epoch, String step) {}

  /** A partition cannot be recovered without an operator. */
  default void recoveryStopped(Partition partition, String reason) {}

  /** Does nothing. */
  static IssuanceObserver silent() {
    return new IssuanceObserver() {};
  }
}
