package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;

import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Writes a settlement of late claims in a transaction. */
record SettlementRecording(LateClaimSettlement settlement) {

  /**
   * Writes the settlement in one transaction, which holds the epoch; a decision of an older epoch
   * has no effect.
   *
   * @param lockWait how long it may wait for one lock, except for that of the epoch
   * @return the users whose late claim stays
   */
  Set<UserId> apply(DSLContext transaction, Duration lockWait, IssuanceObserver observer) {
    var epochs = Epochs.hold(transaction, Set.of(settlement.partition()), lockWait);
    if (!settlement.epoch().equals(epochs.get(settlement.partition()))) {
      return settlement.users();
    }
    var staying = record(transaction, epochs, observer);
    RejectedRows.add(transaction, settlement.couponId(), settlement.rejected(), settlement.at());
    var ending = settlement.users();
    ending.removeAll(staying);
    transaction
        .deleteFrom(LATE_CLAIM)
        .where(LATE_CLAIM.COUPON_ID.eq(settlement.couponId().value()))
        .and(Columns.isOneOf(LATE_CLAIM.USER_ID, ending))
        .execute();
    return staying;
  }

  private Set<UserId> record(
      DSLContext transaction, Map<Partition, Epoch> epochs, IssuanceObserver observer) {
    var adopted = settlement.adopted();
    var staying = new TreeSet<UserId>();
    var outcomes =
        new ClaimRecording(transaction, epochs, SkippedConflicts.ANY, observer).record(adopted);
    for (int i = 0; i < outcomes.size(); i++) {
      if (!hasRow(outcomes.get(i))) {
        staying.add(adopted.get(i).userId());
      }
    }
    return staying;
  }

  private static boolean hasRow(RecordOutcome outcome) {
    return switch (outcome) {
      case RecordOutcome.Recorded _,
          RecordOutcome.AlreadyRecorded _,
          RecordOutcome.UserHasOtherSlot _ ->
          true;
      case RecordOutcome.SlotTaken _,
          RecordOutcome.Late _,
          RecordOutcome.UnknownCoupon _,
          RecordOutcome.SlotOutOfRange _ ->
          false;
    };
  }
}
