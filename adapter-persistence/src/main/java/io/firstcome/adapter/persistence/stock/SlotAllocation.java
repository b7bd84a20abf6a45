package io.firstcome.adapter.persistence.stock;

import static java.util.Objects.requireNonNull;

import io.firstcome.adapter.persistence.recording.ClaimRecording;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.adapter.persistence.recording.RejectedRows;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One call that allocates slots of a coupon whose stock is in PostgreSQL, within one transaction
 * that holds the coupon's row: it reads the rows, decides, and inserts the rows of users who get a
 * slot, with their events, by the recorder's own statement.
 *
 * <p>A whole group of claims needs four round trips: lock, read, insert, commit; and one more if
 * slots that went back are allocated again. The read must not be part of the locking statement: the
 * snapshot of that statement is older than the lock, and would not contain what the previous holder
 * has committed.
 */
final class SlotAllocation {

  private final DSLContext transaction;
  private final StockAddress address;
  private final CodeKeys codeKeys;
  private final Deadline deadline;
  private final LockedCoupon coupon;
  private final List<AcceptedClaim> allocated = new ArrayList<>();

  /**
   * Locks the coupon.
   *
   * @throws StockUnavailableException if its code key is not installed; nothing happened
   */
  SlotAllocation(
      DSLContext transaction, StockAddress address, CodeKeys codeKeys, Deadline deadline) {
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

  /**
   * Returns an outcome for each claim, in the same order.
   *
   * @param campaign to which the coupon belongs, and which the transaction has locked; or null
   */
  List<ClaimOutcome> claim(@Nullable Campaign campaign, List<Claim> claims) {
    var users = new ArrayList<UserId>(claims.stream().map(Claim::userId).toList());
    if (coupon.hasErasedUsers()) {
      if (claims.getFirst().pseudonym() == null) {
        return Collections.nCopies(claims.size(), new ClaimOutcome.Repeat());
      }
      claims.forEach(claim -> users.add(requireNonNull(claim.pseudonym())));
    }
    var state = StockRows.read(transaction, coupon.id(), users, claims.size());
    var refusal = Optional.ofNullable(coupon.refusal(state.now()));
    var supply = new SlotSupply(state.free(), state.next(), coupon.total());
    var others =
        campaign == null || refusal.isPresent()
            ? Map.<UserId, Integer>of()
            : StockRows.otherCoupons(transaction, campaign, coupon.id(), users);
    Map<UserId, LedgerMark> marks = new HashMap<>(state.marks());
    var outcomes = new ArrayList<ClaimOutcome>(claims.size());
    for (var claim : claims) {
      var user = claim.userId();
      var pseudonym = coupon.hasErasedUsers() ? claim.pseudonym() : null;
      var mark = marks.get(user);
      var markOfErased = pseudonym == null ? null : marks.get(pseudonym);
      if (mark != null) {
        outcomes.add(known(mark));
      } else if (markOfErased != null) {
        outcomes.add(ofErased(markOfErased));
      } else if (campaign != null
          && supply.hasSlot()
          && others.getOrDefault(user, 0)
                  + (pseudonym == null ? 0 : others.getOrDefault(pseudonym, 0))
              >= campaign.limitPerUser()) {
        outcomes.add(new ClaimOutcome.CampaignLimit());
      } else {
        outcomes.add(
            refusal.orElseGet(() -> {
              var slot = supply.take();
              slot.ifPresent(taken -> {
                marks.put(user, new LedgerMark.Holds(taken));
                allocate(user, taken, state.now());
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

  private static ClaimOutcome ofErased(LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds _, LedgerMark.GaveBack _ -> new ClaimOutcome.Returned();
      case LedgerMark.WasRejected _ -> new ClaimOutcome.Rejected();
    };
  }

  /** Returns an outcome for each late claim, in the same order; an adopted one has its row. */
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
        taken -> allocate(claim.userId(), taken, claim.acceptedAt()),
        () -> rejected.add(claim.userId()));
    return slot.<LedgerMark>map(LedgerMark.Holds::new).orElseGet(LedgerMark.WasRejected::new);
  }

  private void allocate(UserId user, Slot slot, Instant at) {
    allocated.add(
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
   * Writes the rows. The last check of the deadline is at the end: after it comes only the COMMIT,
   * whose time the server limits.
   */
  private void write(SlotSupply supply) {
    deadline.left();
    if (!allocated.isEmpty()) {
      StockRows.takeAgain(transaction, coupon.id(), supply.takenAgain());
      var epochs = Map.of(coupon.partition(), address.epoch());
      // The times are from this database's clock, so none is implausible.
      var recording =
          new ClaimRecording(
              transaction, epochs, SkippedConflicts.WITH_SLOT, IssuanceObserver.silent());
      var outcomes = recording.record(allocated);
      if (!outcomes.stream().allMatch(RecordOutcome.Recorded.class::isInstance)) {
        throw new IllegalStateException(
            "rows of %s changed while it was locked: %s".formatted(coupon.id(), outcomes));
      }
    }
    deadline.left();
  }
}
