package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrawTest {

  /** The bytes 0 to 31. */
  private static final DrawSeed SEED =
      new DrawSeed("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

  /** Computed by another implementation of the specification, in Python. */
  @Test
  void the_places_are_those_of_the_specification() {
    assertThat(placesOf(new Draw(SEED, 10))).containsExactly(6, 3, 4, 2, 10, 7, 8, 5, 1, 9);

    var million = new Draw(SEED, 1_000_000);
    assertThat(List.of(1, 2, 3, 500_000, 1_000_000))
        .extracting(million::placeOf)
        .containsExactly(56_755, 97_318, 922_856, 556_757, 689_546);

    var largest = new Draw(SEED, Draw.MAX_TICKETS);
    assertThat(List.of(1, 2, 123_456_789, Draw.MAX_TICKETS))
        .extracting(largest::placeOf)
        .containsExactly(664_852_996, 748_547_520, 58_524_901, 865_924_816);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 255, 256, 257, 1_000})
  void each_ticket_has_a_place_of_its_own(int tickets) {
    var draw = new Draw(SEED, tickets);

    assertThat(placesOf(draw).sorted().toArray())
        .containsExactly(IntStream.rangeClosed(1, tickets).toArray());
    assertThat(IntStream.rangeClosed(1, tickets))
        .allSatisfy(ticket -> assertThat(draw.ticketAt(draw.placeOf(ticket))).isEqualTo(ticket));
  }

  @Test
  void the_largest_draw_has_an_inverse() {
    var draw = new Draw(SEED, Draw.MAX_TICKETS);

    for (int ticket : new int[] {1, 2, 123_456_789, Draw.MAX_TICKETS}) {
      assertThat(draw.ticketAt(draw.placeOf(ticket))).isEqualTo(ticket);
    }
  }

  /** Chi-squared test; the threshold is exceeded by one of a million random permutations. */
  @Test
  void a_ticket_has_each_place_equally_often() {
    int seeds = 7_000;
    int tickets = 7;
    var counts = new int[tickets];
    for (int number = 0; number < seeds; number++) {
      var seed = DrawSeed.ofBytes(ByteBuffer.allocate(DrawSeed.BYTES).putInt(number).array());
      counts[new Draw(seed, tickets).placeOf(1) - 1]++;
    }

    double expected = (double) seeds / tickets;
    double chiSquared =
        Arrays.stream(counts).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    assertThat(chiSquared).isLessThan(38.3);
  }

  @Test
  void tickets_and_places_out_of_range_are_refused() {
    var draw = new Draw(SEED, 10);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> draw.placeOf(11))
        .withMessage("ticket must be 1 to 10: 11");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draw.ticketAt(0))
        .withMessage("place must be 1 to 10: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Draw(SEED, 0))
        .withMessage("tickets must be 1 to 1000000000: 0");
  }

  @Test
  void the_commitment_is_a_hash_that_anybody_can_compute() {
    // sha256sum of the bytes 0 to 31.
    assertThat(SEED.commitment())
        .isEqualTo("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  }

  @Test
  void a_seed_is_not_shown() {
    assertThat(SEED.toString()).doesNotContain(SEED.value());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DrawSeed("ABC"))
        .withMessageNotContaining("ABC");
  }

  private static IntStream placesOf(Draw draw) {
    return IntStream.rangeClosed(1, draw.tickets()).map(draw::placeOf);
  }
}
