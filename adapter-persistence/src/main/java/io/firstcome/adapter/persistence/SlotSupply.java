package io.firstcome.adapter.persistence;

import io.firstcome.domain.issuance.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The slots of a locked coupon that can be given, as they are given one after the other. */
final class SlotSupply {

  private final TreeSet<Integer> free;
  private final int total;
  private final List<Integer> takenAgain = new ArrayList<>();
  private int next;

  /**
   * @param free slots that went back
   * @param next the first slot that was never given
   */
  SlotSupply(Collection<Integer> free, int next, int total) {
    this.free = new TreeSet<>(free);
    this.next = next;
    this.total = total;
  }

  /** The lowest that went back, else the next one; empty if none is left. */
  Optional<Slot> take() {
    var lowest = free.pollFirst();
    if (lowest != null) {
      takenAgain.add(lowest);
      return Optional.of(new Slot(lowest));
    }
    return next <= total ? Optional.of(new Slot(next++)) : Optional.empty();
  }

  /** The slot that was promised if it is free, else as {@link #take}. */
  Optional<Slot> take(Slot promised) {
    int number = promised.number();
    if (number == next && number <= total) {
      return Optional.of(new Slot(next++));
    }
    if (free.remove(number)) {
      takenAgain.add(number);
      return Optional.of(promised);
    }
    return take();
  }

  /** Those given that had gone back. */
  List<Integer> takenAgain() {
    return List.copyOf(takenAgain);
  }
}
