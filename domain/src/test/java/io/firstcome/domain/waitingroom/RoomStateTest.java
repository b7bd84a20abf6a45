package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which places are reserved in advance: after a loss of the stock all of them count as served. */
class RoomStateTest {

  private static final int MOST = 50;

  private static RoomState room(boolean isPaused) {
    var room =
        new WaitingRoom(
            WaitingRoom.Mode.ADMIT,
            WaitingRoom.Order.ARRIVAL,
            Instant.EPOCH,
            10,
            Duration.ofMinutes(5),
            isPaused,
            false);
    var state = RoomRecord.EMPTY.opened(new Epoch(1), 128, 500).atOpening(new RoomTerms(1, room));
    for (int i = 0; i < 2 * MOST; i++) {
      state = state.withNextTicket();
    }
    return state;
  }

  private static RoomStock stock(int free, boolean isAllocated) {
    return new RoomStock(true, isAllocated, free, 100);
  }

  @Test
  void a_room_that_admits_reserves_places_until_each_slot_was_allocated() {
    assertThat(room(false).lastPlaceAhead(stock(3, false), MOST)).isEqualTo(MOST);
  }

  @Test
  void then_it_reserves_as_many_as_slots_are_free() {
    assertThat(room(false).lastPlaceAhead(stock(0, true), MOST)).isZero();
    assertThat(room(false).lastPlaceAhead(stock(2, true), MOST)).isEqualTo(2);
    assertThat(room(false).lastPlaceAhead(stock(80, true), MOST)).isEqualTo(MOST);
  }

  @Test
  void a_paused_room_reserves_none() {
    assertThat(room(true).lastPlaceAhead(stock(3, false), MOST)).isZero();
  }
}
