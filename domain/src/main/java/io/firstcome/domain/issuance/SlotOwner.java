package io.firstcome.domain.issuance;

import java.util.Comparator;

/**
 * A user who has or had a slot.
 *
 * @param generation counts the owners of the slot, from 1
 * @param live whether the user still has the slot; false once it went back to stock
 */
public record SlotOwner(UserId userId, Slot slot, int generation, boolean live) {

  /** No two owners of the slots of one coupon are equal in this order. */
  public static final Comparator<SlotOwner> BY_SLOT =
      Comparator.comparing(SlotOwner::slot).thenComparingInt(SlotOwner::generation);

  /** The mark that the ledger should have of the user. */
  public LedgerMark mark() {
    return live ? new LedgerMark.Holds(slot) : new LedgerMark.GaveBack(slot);
  }
}
