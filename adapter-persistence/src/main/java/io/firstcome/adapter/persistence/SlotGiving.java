package io.firstcome.adapter.persistence;

import io.firstcome.adapter.persistence.ClaimRecording.PassOver;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * One call that gives slots of a coupon whose stock is the rows, within one transaction that holds
 * the coupon's row: it reads what the rows say, decides, and inserts the rows of those who get a
 * slot, with their events, by the recorder's own statement.
 *
 * <p>Four round trips for a whole group: lock, read, insert, commit; and one more where slots that
 * went back are given again. The reading must not be part of the locking statement: that one's
 * snapshot is older than the lock, and would not see what the last holder has committed.
 */
final class SlotGiving {

  private final DSLContext transaction;
  private final StockAddress address;
  private final CodeKeys codeKeys;
  private final Deadline deadline;
  private final LockedCoupon coupon;
  private final List<AcceptedClaim> won = new ArrayList<>();

  /**
   * Locks the coupon.
   *
   * @throws StockUnavailableException if its code key is not installed; nothing happened
   */
  SlotGiving(DSLContext transaction, StockAddress address, CodeKeys codeKeys, Deadline deadline) {
    this.transaction = transaction;
    this.address = address;
    this.codeKeys = codeKeys;
    this.deadline = deadline;
    this.coupon = LockedCoupon.lock(transaction, address.couponId(), deadline.left());
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      throw new StockUnavailableException(
          Effect.NONE, "no code key of version " + coupon.codeKeyVersion() + " is installed", null);
    }
  }

  /** The answers to the users, in their order. */
  List<ClaimOutcome> claim(List<UserId> users) {
    var state = StockRows.read(transaction, coupon.id(), users, users.size());
    var refusal = Optional.ofNullable(coupon.refusal(state.now()));
    var supply = new SlotSupply(state.free(), state.next(), coupon.total());
    Map<UserId, LedgerMark> marks = new HashMap<>(state.marks());
    var outcomes = new ArrayList<ClaimOutcome>(users.size());
    for (var user : users) {
      var mark = marks.get(user);
      if (mark != null) {
        outcomes.add(known(mark));
      } else {
        outcomes.add(
            refusal.orElseGet(() -> {
              var slot = supply.take();
              slot.ifPresent(taken -> {
                marks.put(user, new LedgerMark.Holds(taken));
                win(user, taken, state.now());
              });
              return slot.<ClaimOutcome>map(ClaimOutcome.Issued::new)
                  .orElseGet(ClaimOutcome.SoldOut::new);
            }));
      }
    }
    write(supply);
    return outcomes;
  }

  private static ClaimOutcome known(LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds(Slot slot) -> new ClaimOutcome.AlreadyIssued(slot);
      case LedgerMark.GaveBack _ -> new ClaimOutcome.Returned();
      case LedgerMark.WasRejected _ -> new ClaimOutcome.Rejected();
    };
  }

  /** The answers to the late claims, in their order; whoever gets a slot has a row from then on. */
  List<AdoptOutcome> adopt(List<LateClaim> claims) {
    var users = claims.stream().map(LateClaim::userId).toList();
    var state = StockRows.read(transaction, coupon.id(), users, Integer.MAX_VALUE);
    var supply = new SlotSupply(state.free(), state.next(), coupon.total());
    Map<UserId, LedgerMark> marks = new HashMap<>(state.marks());
    var rejected = new ArrayList<UserId>();
    var outcomes = new ArrayList<AdoptOutcome>(claims.size());
    for (var claim : claims) {
      var mark = marks.computeIfAbsent(claim.userId(), user -> adopt(claim, supply, rejected));
      outcomes.add(
          switch (mark) {
            case LedgerMark.Holds(Slot slot) -> new AdoptOutcome.Adopted(slot);
            case LedgerMark.GaveBack _ -> new AdoptOutcome.GoneBack();
            case LedgerMark.WasRejected _ -> new AdoptOutcome.Rejected();
          });
    }
    write(supply);
    RejectedRows.add(transaction, coupon.id(), rejected, state.now());
    return outcomes;
  }

  private LedgerMark adopt(LateClaim claim, SlotSupply supply, List<UserId> rejected) {
    var slot = supply.take(claim.promised());
    slot.ifPresentOrElse(
        taken -> win(claim.userId(), taken, claim.acceptedAt()),
        () -> rejected.add(claim.userId()));
    return slot.<LedgerMark>map(LedgerMark.Holds::new).orElseGet(LedgerMark.WasRejected::new);
  }

  private void win(UserId user, Slot slot, Instant at) {
    won.add(
        new AcceptedClaim(
            coupon.id(),
            user,
            slot,
            coupon.partition(),
            address.epoch(),
            at.truncatedTo(ChronoUnit.MILLIS),
            codeKeys.identityOf(coupon.codeKeyVersion(), coupon.id(), user)));
  }

  /**
   * The last look at the time: what comes after it is the COMMIT, which the server itself bounds.
   */
  private void write(SlotSupply supply) {
    deadline.left();
    if (!won.isEmpty()) {
      StockRows.takeAgain(transaction, coupon.id(), supply.takenAgain());
      var epochs = Map.of(coupon.partition(), address.epoch());
      // The times are this database's own, so there is nothing to tell of them.
      var recording =
          new ClaimRecording(
              transaction, epochs, PassOver.HOLDERS_OF_THE_SLOT, IssuanceObserver.silent());
      var outcomes = recording.record(won);
      if (!outcomes.stream().allMatch(RecordOutcome.Recorded.class::isInstance)) {
        throw new IllegalStateException(
            "the rows of %s changed under their lock: %s".formatted(coupon.id(), outcomes));
      }
    }
    deadline.left();
  }
}
