package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.LATE_CLAIM;

import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.recording.ClaimRecording.PassOver;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/**
 * The settlement of late claims of one coupon, as the stock decided it in one epoch.
 *
 * @param adopted with the slots that they have now
 * @param rejected users for whom no slot was left
 * @param done users for whom nothing has to be written
 */
record Settlement(
    Partition partition,
    Epoch epoch,
    CouponId couponId,
    List<AcceptedClaim> adopted,
    List<UserId> rejected,
    List<UserId> done,
    Instant now) {

  Settlement {
    ClaimRecording.requireEachOwnerOnce(adopted);
    for (var claim : adopted) {
      if (!claim.partition().equals(partition)
          || !claim.epoch().equals(epoch)
          || !claim.couponId().equals(couponId)) {
        throw new IllegalArgumentException(
            "adopted claims must be of %s in partition %s and epoch %s"
                .formatted(couponId, partition, epoch));
      }
    }
  }

  /**
   * Writes the settlement in one transaction, which holds the epoch; a decision of an older epoch
   * has no effect.
   *
   * @param lockWait how long it may wait for one lock, except for that of the epoch
   * @return the users whose late claim stays
   */
  Set<UserId> apply(DSLContext transaction, Duration lockWait, IssuanceObserver observer) {
    var epochs = Epochs.hold(transaction, Set.of(partition), lockWait);
    if (!epoch.equals(epochs.get(partition))) {
      return allUsers();
    }
    var staying = record(transaction, epochs, observer);
    RejectedRows.add(transaction, couponId, rejected, now);
    var ending = allUsers();
    ending.removeAll(staying);
    transaction
        .deleteFrom(LATE_CLAIM)
        .where(LATE_CLAIM.COUPON_ID.eq(couponId.value()))
        .and(Columns.isOneOf(LATE_CLAIM.USER_ID, ending))
        .execute();
    return staying;
  }

  private Set<UserId> record(
      DSLContext transaction, Map<Partition, Epoch> epochs, IssuanceObserver observer) {
    var staying = new TreeSet<UserId>();
    var outcomes = new ClaimRecording(transaction, epochs, PassOver.ANY, observer).record(adopted);
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

  private Set<UserId> allUsers() {
    var all = new ArrayList<UserId>(rejected);
    all.addAll(done);
    adopted.forEach(claim -> all.add(claim.userId()));
    return new TreeSet<>(all);
  }
}
