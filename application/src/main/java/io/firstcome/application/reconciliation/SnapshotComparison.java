package io.firstcome.application.reconciliation;

import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.SlotSet;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the parts of a snapshot of one coupon. It reads nothing else and changes nothing. */
final class SnapshotComparison {

  private final CouponSnapshot snapshot;
  private final int total;
  private final int maxNamed;
  private final List<Discrepancy> named = new ArrayList<>();

  /**
   * @param total quantity of the coupon
   * @param maxNamed how many discrepancies are named; all are counted
   */
  SnapshotComparison(CouponSnapshot snapshot, int total, int maxNamed) {
    this.snapshot = snapshot;
    this.total = total;
    this.maxNamed = maxNamed;
  }

  /**
   * The proof.
   *
   * @param now its time
   */
  ExactnessProof proof(Instant now) {
    snapshot.terms().ifPresent(this::name);
    snapshot.stuck().forEach(entry -> name(new Discrepancy.StuckEntry(entry)));
    nameRows();
    nameMissing();
    int lost = nameLostSlots();
    int used = snapshot.used().size();
    return new ExactnessProof(
        total,
        used,
        total - used - lost,
        snapshot.unrecorded(),
        snapshot.missing().values().stream().mapToLong(Set::size).sum(),
        snapshot.unconfirmed().size(),
        lost,
        snapshot.duplicateUsers(),
        oldestAge(),
        0,
        snapshot.log().entries(),
        named,
        now);
  }

  private Duration oldestAge() {
    var oldest = snapshot.oldest();
    return oldest == null
        ? Duration.ZERO
        : new LogDepth(0, oldest, snapshot.log().asOf()).oldestAge();
  }

  private void nameRows() {
    Map<Slot, UserId> holders = new HashMap<>();
    snapshot.withoutRow().forEach((user, slot) -> holders.put(slot, user));
    snapshot
        .unconfirmed()
        .forEach((owner, mark) -> {
          var slot = owner.slot();
          var holder = owner.live() ? holders.get(slot) : null;
          if (isOutOfRange(slot)) {
            name(new Discrepancy.SlotOutOfRange(owner.userId(), slot));
          } else if (mark.orElse(null) instanceof LedgerMark.Holds(Slot other)
              && !other.equals(slot)) {
            name(new Discrepancy.WrongSlot(owner.userId(), other, slot));
          } else if (holder != null) {
            name(new Discrepancy.WrongUser(slot, holder, owner.userId()));
          } else {
            name(new Discrepancy.ExtraRow(owner.userId(), slot));
          }
        });
  }

  /** A missing row whose slot is in a live row of another user is named as that row. */
  private void nameMissing() {
    var ofRows =
        snapshot.unconfirmed().keySet().stream()
            .filter(SlotOwner::live)
            .map(SlotOwner::slot)
            .collect(Collectors.toSet());
    snapshot
        .missing()
        .forEach((slot, users) -> {
          for (var user : users) {
            if (isOutOfRange(slot)) {
              name(new Discrepancy.SlotOutOfRange(user, slot));
            } else if (!ofRows.contains(slot)) {
              name(new Discrepancy.MissingRow(user, slot));
            }
          }
        });
  }

  /** Returns the number of lost slots. */
  private int nameLostSlots() {
    var known = SlotSet.union(snapshot.used(), snapshot.free(), snapshot.inLedger());
    int end = Math.min(snapshot.level().next(), total + 1);
    known.absentBelow(end).limit(maxNamed).forEach(slot -> name(new Discrepancy.LostSlot(slot)));
    return (int) known.absentBelow(end).count();
  }

  private boolean isOutOfRange(Slot slot) {
    return slot.number() > total;
  }

  private void name(Discrepancy discrepancy) {
    if (named.size() < maxNamed) {
      named.add(discrepancy);
    }
  }
}
