package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomProgressTest {

  private static final Duration ADMISSION = Duration.ofSeconds(80);
  private static final int RATE = 10;
  private static final int MANY = 1_000_000;
  private static final WaitingRoom ROOM =
      new WaitingRoom(
          WaitingRoom.Mode.ADMIT,
          WaitingRoom.Order.ARRIVAL,
          Instant.EPOCH,
          RATE,
          ADMISSION,
          false,
          false);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private RoomProgress progress =
      new RoomProgress(
          ServingNumber.startingAt(now),
          ServingHistory.startingWith(ADMISSION),
          List.of(),
          RoomOffer.NONE);

  private int servedAfter(Duration time, RoomStock stock) {
    now = now.plus(time);
    progress = progress.at(now, ROOM, stock, MANY, 0);
    return progress.number().served();
  }

  private int servedByRoomThatClaims(RoomStock stock, int claimed) {
    var claims =
        new WaitingRoom(
            WaitingRoom.Mode.CLAIM,
            WaitingRoom.Order.ARRIVAL,
            Instant.EPOCH,
            RATE,
            ADMISSION,
            false,
            false);
    now = now.plusSeconds(5);
    progress = progress.at(now, claims, stock, MANY, claimed);
    return progress.number().served();
  }

  @Test
  void a_room_that_claims_serves_as_many_as_there_are_slots_or_a_second_of_its_rate() {
    assertThat(servedByRoomThatClaims(allocated(0), 0)).isZero();
    assertThat(servedByRoomThatClaims(allocated(1), 0)).isEqualTo(RATE);
    assertThat(servedByRoomThatClaims(allocated(1), RATE)).isEqualTo(2 * RATE);
    assertThat(servedByRoomThatClaims(allocated(RATE + 7), 2 * RATE)).isEqualTo(3 * RATE + 7);
  }

  private static RoomStock open() {
    return new RoomStock(true, false, 100, 100);
  }

  private static RoomStock allocated(int free) {
    return new RoomStock(true, true, free, 100);
  }

  @Test
  void a_gap_is_passed_faster_than_other_places_and_no_place_behind_it_earlier() {
    progress =
        new RoomProgress(
            progress.number(), progress.history(), List.of(new Gap(20, 130)), RoomOffer.NONE);

    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(RATE);
    assertThat(servedAfter(Duration.ofSeconds(5), open())).isEqualTo(20);
    assertThat(servedAfter(Duration.ofSeconds(1), open()))
        .isEqualTo(20 + RoomProgress.GAP_SPEED * RATE);
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(130);
    assertThat(progress.gaps()).isEmpty();
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(130 + RATE);
  }

  @Test
  void gaps_are_passed_one_after_the_other() {
    progress =
        new RoomProgress(
            progress.number(),
            progress.history(),
            List.of(new Gap(0, 50), new Gap(60, 100)),
            RoomOffer.NONE);

    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(50);
    assertThat(progress.gaps()).containsExactly(new Gap(60, 100));
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(60);
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(100);
    assertThat(progress.gaps()).isEmpty();
  }

  @Test
  void once_all_slots_are_allocated_one_place_is_served_for_each_free_slot() {
    assertThat(servedAfter(Duration.ofSeconds(2), open())).isEqualTo(20);

    assertThat(servedAfter(Duration.ofSeconds(5), allocated(0))).isEqualTo(20);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(3))).isEqualTo(23);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(3))).isEqualTo(23);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(2))).as("one claims").isEqualTo(23);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(4))).isEqualTo(25);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(0))).isEqualTo(25);
    assertThat(servedAfter(Duration.ofSeconds(5), allocated(1))).isEqualTo(26);
  }

  @Test
  void places_that_were_served_before_count_for_no_later_slot() {
    assertThat(servedAfter(Duration.ofSeconds(1), allocated(2))).isEqualTo(2);
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(2 + RATE);

    assertThat(servedAfter(Duration.ofSeconds(1), allocated(0))).isEqualTo(2 + RATE);
    assertThat(servedAfter(Duration.ofSeconds(1), allocated(1))).isEqualTo(3 + RATE);
  }

  @Test
  void a_slot_that_stays_free_is_offered_again_after_a_minute() {
    assertThat(servedAfter(Duration.ofSeconds(1), allocated(1))).isEqualTo(1);
    for (int i = 1; i < RoomOffer.MAX_WAIT.toSeconds(); i++) {
      assertThat(servedAfter(Duration.ofSeconds(1), allocated(1))).isEqualTo(1);
    }
    assertThat(servedAfter(Duration.ofSeconds(1), allocated(1))).isEqualTo(2);
  }

  @Test
  void nothing_counts_while_the_room_stands_still() {
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(RATE);
    var counted = progress.number().counted();

    now = now.plusSeconds(3);
    progress = progress.standingStill(now);

    assertThat(progress.number().counted()).isEqualTo(counted);
    assertThat(servedAfter(Duration.ofSeconds(1), open())).isEqualTo(2 * RATE);
  }
}
