package io.firstcome.domain.observation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.firstcome.domain.webhook.WebhookId;
import java.time.Duration;
import java.util.List;

/** Observations of the way of a claim from the hand-off log to its row, and of events. */
public sealed interface RecordingObservation extends Observation {

  /**
   * Log entries were published.
   *
   * @param took until the broker had confirmed all of them
   * @param again whether they had been published before
   */
  record EntriesPublished(List<HandoffEntry> entries, Duration took, boolean again)
      implements RecordingObservation {}

  /** An entry of the log cannot be read by this release, and stays in the log. */
  record EntryUnreadable(Partition partition, String entryId, String reason)
      implements RecordingObservation {}

  /**
   * A transaction with claims was committed. The lists are its own, and no copies.
   *
   * @param outcomes of each claim, in the same order
   */
  record ClaimsRecorded(List<AcceptedClaim> claims, List<RecordOutcome> outcomes, Duration took)
      implements RecordingObservation {}

  /**
   * All claims of a log entry are stored durably.
   *
   * @param sinceAccepted since the stock accepted them. It is the difference of two clocks, the
   *     database's and the stock's; not negative
   */
  record EntryStored(Duration sinceAccepted) implements RecordingObservation {}

  /**
   * The stock's acceptance time of a claim is impossible by the database's clock. The row has the
   * nearest possible time.
   *
   * @param ahead how much later the stock's time is than that of the row; negative if earlier
   */
  record ImplausibleAcceptanceTime(CouponId couponId, Duration ahead)
      implements RecordingObservation {}

  /** Recording waits for the database. */
  record RecordingPaused(Exception cause) implements RecordingObservation {}

  /**
   * The claims of the coupon cannot be recorded, because another session holds a lock on its rows.
   * They are stored, and recorded when the lock is released.
   */
  record CouponLocked(CouponId couponId) implements RecordingObservation {}

  /** A claim cannot be recorded as it is and became a dead letter. */
  record ClaimSetAside(CouponId couponId, String reason) implements RecordingObservation {}

  /** A message was delivered too often, or cannot be read, and became a dead letter. */
  record MessageSetAside(String reason) implements RecordingObservation {}

  /**
   * The recording of a dead letter was retried.
   *
   * @param recorded whether that succeeded and the letter is deleted
   */
  record DeadLetterReplayed(DeadLetterId id, boolean recorded) implements RecordingObservation {}

  /**
   * Late claims of a coupon were settled.
   *
   * @param done those with nothing left to write
   */
  record LateClaimsSettled(CouponId couponId, int adopted, int rejected, int done)
      implements RecordingObservation {}

  /** Events were published to other systems. */
  record EventsPublished(int events) implements RecordingObservation {}

  /** An attempt to deliver events to a webhook was made. */
  record WebhookAttempted(DeliveryOutcome outcome) implements RecordingObservation {}

  /** A webhook was disabled, as its receiver does not take events. */
  record WebhookDisabled(WebhookId id) implements RecordingObservation {}
}
