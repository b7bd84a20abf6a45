package io.firstcome.adapter.persistence.stock;

import io.firstcome.domain.issuance.Slot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The free slots of a locked coupon, while one call allocates some of them. */
final class SlotSupply {

  private final TreeSet<Integer> free;
  private final int total;
  private final List<Integer> takenAgain = new ArrayList<>();
  private int next;

  /**
   * @param free slots that went back to the stock
   * @param next the lowest slot that was never allocated
   */
  SlotSupply(Collection<Integer> free, int next, int total) {
    this.free = new TreeSet<>(free);
    this.next = next;
    this.total = total;
  }

  boolean hasSlot() {
    return !free.isEmpty() || next <= total;
  }

  /** Takes the lowest slot that went back, else the next one; empty if none is left. */
  Optional<Slot> take() {
    var lowest = free.pollFirst();
    if (lowest != null) {
      takenAgain.add(lowest);
      return Optional.of(new Slot(lowest));
    }
    return next <= total ? Optional.of(new Slot(next++)) : Optional.empty();
  }

  /** Takes the promised slot if it is free, else one as {@link #take()} does. */
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

  /** The taken slots that had gone back to the stock before. */
  List<Integer> takenAgain() {
    return List.copyOf(takenAgain);
  }
}
