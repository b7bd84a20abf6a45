package io.firstcome.adapter.persistence.recording;

import static java.util.Objects.requireNonNull;

import io.firstcome.adapter.persistence.session.DatabaseErrors;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * Writes the rows of one batch of claims within a transaction that holds the epochs of its
 * partitions. Rows of user coupons are inserted nowhere else.
 *
 * <p>One statement inserts what can be inserted; a second one finds the reason for every claim that
 * did not become a row. It must be a second one: a row that a concurrent transaction committed
 * while the first statement waited for it is not in the snapshot of the first statement, so a
 * search within it would find no reason, and the claim would be lost silently.
 */
public final class ClaimRecording {

  /**
   * Maximum attempts to insert a claim for which no reason was found. A reason is found unless the
   * conflicting row disappeared between the two statements, which does not happen repeatedly.
   */
  static final int MAX_ROUNDS = 5;

  /**
   * Which conflicting rows make the insert skip a claim. Any other row with a unique key of the
   * claim aborts the transaction.
   *
   * <p>PostgreSQL searches for these rows in one index after the other, for each claim, before it
   * inserts, which is a fifth of its time for a row. With WITH_SLOT it searches only the index of
   * slots, which is enough for claims that are redelivered, as after a crash: their slot is held.
   */
  public enum SkippedConflicts {
    WITH_SLOT,
    ANY
  }

  private final DSLContext transaction;
  private final Map<Partition, Epoch> epochs;
  private final SkippedConflicts skipped;
  private final IssuanceObserver observer;

  /** By identity: no two claims of a batch have the same owner. */
  private final IdentityHashMap<AcceptedClaim, RecordOutcome> outcomes = new IdentityHashMap<>();

  /**
   * @param epochs of all partitions of the claims, held by the transaction
   * @param observer is notified of claims whose time of acceptance is implausible, and again if the
   *     transaction is retried
   */
  public ClaimRecording(
      DSLContext transaction,
      Map<Partition, Epoch> epochs,
      SkippedConflicts skipped,
      IssuanceObserver observer) {
    this.transaction = transaction;
    this.epochs = epochs;
    this.skipped = skipped;
    this.observer = observer;
  }

  /** Throws {@link IllegalArgumentException} unless each pair of coupon and user occurs once. */
  public static void requireEachOwnerOnce(List<AcceptedClaim> claims) {
    var owners = new HashSet<Owner>();
    for (var claim : claims) {
      if (!owners.add(Owner.of(claim))) {
        throw new IllegalArgumentException(
            "claims must name each user of a coupon once: twice in " + claim.couponId());
      }
    }
  }

  /**
   * Records the claims, and keeps those that must wait for another slot as late claims.
   *
   * @return an outcome for each claim, in the same order
   */
  public List<RecordOutcome> record(List<AcceptedClaim> claims) {
    var sorted = claims.stream().sorted(Comparator.comparing(Owner::of, Owner.ORDER)).toList();
    explain(sorted.stream().filter(claim -> !isInEpoch(claim)).toList());
    var open = withoutOutcome(sorted);
    for (int round = 1; !open.isEmpty(); round++) {
      if (round > MAX_ROUNDS) {
        throw DatabaseErrors.unavailable(
            "%d claims were not inserted, and no conflicting row was found".formatted(open.size()),
            new ConcurrentModificationException(MAX_ROUNDS + " rounds"));
      }
      insert(open);
      explain(withoutOutcome(open));
      open = withoutOutcome(open);
    }
    keepForLater(sorted);
    return claims.stream().map(this::outcomeOf).toList();
  }

  /** Inserts the claims that can be inserted, and adds their events to the outbox. */
  private void insert(List<AcceptedClaim> claims) {
    var byTag = new HashMap<ByteBuffer, AcceptedClaim>();
    for (var claim : claims) {
      byTag.put(ByteBuffer.wrap(claim.identity().id().tagBytes()), claim);
    }
    RowInsert.rows(transaction, skipped, claims)
        .forEach(row -> {
          var claim = requireNonNull(byTag.get(ByteBuffer.wrap(row.value1())));
          outcomes.put(claim, new RecordOutcome.Recorded());
          reportIfImplausible(claim, row.value2());
        });
  }

  private void reportIfImplausible(AcceptedClaim claim, Instant issuedAt) {
    if (issuedAt.toEpochMilli() != claim.acceptedAt().toEpochMilli()) {
      observer.observe(
          new RecordingObservation.ImplausibleAcceptanceTime(
              claim.couponId(), Duration.between(issuedAt, claim.acceptedAt())));
    }
  }

  /**
   * Finds the reason why each claim has no row of this batch. A claim without a reason gets no
   * outcome.
   */
  private void explain(List<AcceptedClaim> claims) {
    if (claims.isEmpty()) {
      return;
    }
    var obstacles = ClaimObstacles.of(transaction, claims);
    for (int i = 0; i < claims.size(); i++) {
      var claim = claims.get(i);
      reason(claim, obstacles.get(i)).ifPresent(found -> outcomes.put(claim, found));
    }
  }

  /**
   * The order matters: the user's own row comes first, and a late claim may get any slot, so its
   * slot is not checked.
   */
  private Optional<RecordOutcome> reason(AcceptedClaim claim, ClaimObstacles obstacles) {
    var ownSlot = obstacles.ownSlot();
    var totalQuantity = obstacles.totalQuantity();
    var slot = claim.slot().number();
    if (ownSlot != null) {
      return Optional.of(
          ownSlot == slot
              ? new RecordOutcome.AlreadyRecorded()
              : new RecordOutcome.UserHasOtherSlot(new Slot(ownSlot)));
    }
    if (totalQuantity == null) {
      return Optional.of(new RecordOutcome.UnknownCoupon());
    }
    if (!obstacles.isIn(claim.partition())) {
      throw DatabaseErrors.unrecordable("a claim names a partition that is not its coupon's");
    }
    if (!isInEpoch(claim)) {
      return Optional.of(new RecordOutcome.Late(epochOf(claim)));
    }
    if (slot > totalQuantity) {
      return Optional.of(new RecordOutcome.SlotOutOfRange(totalQuantity));
    }
    if (obstacles.slotIsHeld()) {
      return Optional.of(new RecordOutcome.SlotTaken());
    }
    if (obstacles.identityIsTaken()) {
      throw DatabaseErrors.unrecordable("a claim has the id or code of another user coupon");
    }
    return Optional.empty();
  }

  private boolean isInEpoch(AcceptedClaim claim) {
    return claim.epoch().equals(epochOf(claim));
  }

  private Epoch epochOf(AcceptedClaim claim) {
    var epoch = epochs.get(claim.partition());
    if (epoch == null) {
      throw new IllegalStateException(
          "the transaction does not hold the epoch of partition " + claim.partition());
    }
    return epoch;
  }

  private List<AcceptedClaim> withoutOutcome(List<AcceptedClaim> claims) {
    return claims.stream().filter(claim -> !outcomes.containsKey(claim)).toList();
  }

  private void keepForLater(List<AcceptedClaim> claims) {
    var late = new ArrayList<LateClaim>();
    for (var claim : claims) {
      var outcome = outcomes.get(claim);
      if (outcome instanceof RecordOutcome.Late || outcome instanceof RecordOutcome.SlotTaken) {
        late.add(LateClaim.of(claim));
      }
    }
    LateClaimRows.keep(transaction, late);
  }

  private RecordOutcome outcomeOf(AcceptedClaim claim) {
    var outcome = outcomes.get(claim);
    if (outcome == null) {
      throw new IllegalStateException("a claim of " + claim.couponId() + " has no outcome");
    }
    return outcome;
  }
}
