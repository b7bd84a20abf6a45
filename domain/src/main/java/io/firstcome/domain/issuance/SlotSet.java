package io.firstcome.domain.issuance;

import java.util.BitSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A set of slots of one coupon, which takes one bit for each. Not thread-safe. */
public final class SlotSet {

  private final BitSet bits = new BitSet();

  /** The slots that are in any of the sets. */
  public static SlotSet union(SlotSet... sets) {
    var union = new SlotSet();
    for (var set : sets) {
      union.bits.or(set.bits);
    }
    return union;
  }

  /** Returns whether it was absent. */
  public boolean add(Slot slot) {
    if (contains(slot)) {
      return false;
    }
    bits.set(slot.number());
    return true;
  }

  public boolean contains(Slot slot) {
    return bits.get(slot.number());
  }

  public int size() {
    return bits.cardinality();
  }

  /** The number above that of the highest slot; 1 if the set is empty. */
  public int end() {
    return Math.max(bits.length(), 1);
  }

  /** The lowest slot that is not in the set. */
  public Slot lowestAbsent() {
    return new Slot(bits.nextClearBit(1));
  }

  /**
   * The slots that are not in the set, from the lowest one. The set may change meanwhile only below
   * the slot that was read last.
   *
   * @param end the number above that of the last slot
   */
  public Stream<Slot> absentBelow(int end) {
    return IntStream.iterate(
            bits.nextClearBit(1), slot -> slot < end, slot -> bits.nextClearBit(slot + 1))
        .mapToObj(Slot::new);
  }
}
