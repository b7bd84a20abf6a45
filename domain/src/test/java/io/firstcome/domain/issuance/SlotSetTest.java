package io.firstcome.domain.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotSetTest {

  private static SlotSet slots(int... numbers) {
    var slots = new SlotSet();
    IntStream.of(numbers).forEach(number -> assertThat(slots.add(new Slot(number))).isTrue());
    return slots;
  }

  @Test
  void a_slot_is_added_once() {
    var slots = slots(3);

    assertThat(slots.add(new Slot(3))).isFalse();
    assertThat(slots.contains(new Slot(3))).isTrue();
    assertThat(slots.contains(new Slot(2))).isFalse();
    assertThat(slots.size()).isEqualTo(1);
  }

  @Test
  void the_end_of_a_slot_set_is_above_the_highest_slot() {
    assertThat(slots().end()).isEqualTo(1);
    assertThat(slots(1).end()).isEqualTo(2);
    assertThat(slots(7, 2).end()).isEqualTo(8);
  }

  @Test
  void absent_slots_are_listed_from_the_lowest_one() {
    var slots = slots(1, 2, 5, 64, 65);

    assertThat(slots.lowestAbsent()).isEqualTo(new Slot(3));
    assertThat(slots.absentBelow(8))
        .containsExactly(new Slot(3), new Slot(4), new Slot(6), new Slot(7));
    assertThat(slots.absentBelow(3)).isEmpty();
    assertThat(slots.absentBelow(67)).hasSize(66 - 5);
    assertThat(slots().absentBelow(1)).isEmpty();
  }

  @Test
  void a_union_has_the_slots_of_all_sets_and_changes_none() {
    var first = slots(1, 3);
    var union = SlotSet.union(first, slots(3, 4), slots());

    assertThat(union.absentBelow(6)).containsExactly(new Slot(2), new Slot(5));
    assertThat(first.size()).isEqualTo(2);
  }
}
