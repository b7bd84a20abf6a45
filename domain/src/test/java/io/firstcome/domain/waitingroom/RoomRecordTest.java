package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomRecordTest {

  private static final int PART = 128;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final RoomTerms TERMS =
      new RoomTerms(
          1,
          new WaitingRoom(
              WaitingRoom.Mode.CLAIM,
              WaitingRoom.Order.ARRIVAL,
              Instant.EPOCH,
              10,
              Duration.ofSeconds(80),
              false,
              false));
  private static final Epoch FIRST = new Epoch(1);
  private static final int TICKETS = 500;

  private static RoomState opened(RoomRecord record, Epoch epoch) {
    return record.opened(epoch, PART, TICKETS).atOpening(TERMS);
  }

  private static RoomState continued(RoomRecord record) {
    return opened(record, FIRST);
  }

  private static RoomState at(int lastTicket, int served, int countedSeconds) {
    var number = new ServingNumber(served, 0, NOW, Duration.ofSeconds(countedSeconds));
    return new RoomState(
        TERMS,
        lastTicket,
        new RoomReserve(lastTicket, served),
        new RoomProgress(
            number,
            ServingHistory.startingWith(TERMS.room().admissionTime()).with(number),
            List.of(),
            RoomOffer.NONE),
        null,
        served);
  }

  @Test
  void a_new_room_begins_with_the_first_ticket() {
    var state = continued(RoomRecord.EMPTY);

    assertThat(state.lastTicket()).isZero();
    assertThat(state.progress().number().served()).isZero();
    assertThat(state.progress().gaps()).isEmpty();
    assertThat(state.reserve()).isEqualTo(new RoomReserve(1, TICKETS, 0));
  }

  @Test
  void a_lost_room_continues_above_all_tickets_that_can_have_been_given() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));

    var state = continued(record);

    assertThat(state.lastTicket()).isEqualTo(8 * PART).isGreaterThanOrEqualTo(1_000);
    assertThat(state.progress().number().served()).isEqualTo(60);
    assertThat(state.progress().number().counted()).isEqualTo(Duration.ofSeconds(9));
    assertThat(state.progress().gaps()).containsExactly(new Gap(130, 8 * PART));
    assertThat(state.reserve()).isEqualTo(new RoomReserve(2, 8 * PART + TICKETS, 60));
  }

  @Test
  void any_number_of_instances_can_open_a_room_in_one_epoch() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    var first = record.opened(FIRST, PART, TICKETS);

    assertThat(first.opened(FIRST, PART, TICKETS)).isEqualTo(first);
    var later = first.opened(FIRST.next(), PART, TICKETS);

    assertThat(later.opening().lastTicket()).isGreaterThanOrEqualTo(first.reserve().tickets());
    assertThat(later.opening().served()).isEqualTo(first.reserve().places());
  }

  @Test
  void a_room_that_somebody_has_joined_is_not_opened_again_where_it_began() {
    var first = RoomRecord.EMPTY.opened(FIRST, PART, TICKETS);
    var joined = first.with(at(1, 0, 0), RoomReserve.NONE);

    var again = joined.opened(FIRST, PART, TICKETS);

    assertThat(again.opening().lastTicket()).isGreaterThanOrEqualTo(TICKETS);
  }

  @Test
  void a_state_from_before_the_draw_does_not_bring_back_gaps() {
    var drawn = RoomRecord.EMPTY.with(at(130, 0, 0), new RoomReserve(1_000, 60)).drawnAmong(140);

    var record = drawn.with(at(150, 0, 0), RoomReserve.NONE);

    assertThat(record).isEqualTo(drawn);
    assertThat(record.lastTicket()).isEqualTo(140);
  }

  @Test
  void each_place_that_can_have_been_served_has_an_admission_after_the_loss() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));

    var progress = continued(record).progress();

    for (int place : new int[] {1, 40, 41, 60}) {
      assertThat(progress.history().remaining(place, progress.number())).isPositive();
    }
  }

  @Test
  void a_gap_is_extended_while_nobody_joins() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    for (int epoch = 1; epoch <= 20; epoch++) {
      record = record.opened(new Epoch(epoch), PART, TICKETS);
    }

    assertThat(record.gaps()).containsExactly(new Gap(130, record.opening().lastTicket()));
  }

  @Test
  void the_smallest_of_many_gaps_is_left_out() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    for (int epoch = 1; epoch <= 9; epoch++) {
      record = record.opened(new Epoch(epoch), PART, epoch == 5 ? 1 : TICKETS);
      record = withOneMoreTicket(record);
    }

    assertThat(record.gaps()).hasSize(8).contains(new Gap(130, 8 * PART));
    assertThat(record.gaps()).extracting(gap -> gap.to() - gap.after()).doesNotContain(PART - 1);
  }

  private static RoomRecord withOneMoreTicket(RoomRecord record) {
    return new RoomRecord(
        record.reserve(),
        record.opening(),
        record.lastTicket() + 1,
        record.counted(),
        record.marks(),
        record.gaps(),
        record.drawn());
  }

  @Test
  void places_above_a_lowered_reserve_are_served_again_later() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    var lowered = at(130, 40, 9).extended(record.reserve(), null).claimedFor(25);

    var progress =
        continued(record.with(lowered.withLoweredReserve(), RoomReserve.NONE)).progress();

    assertThat(progress.number().served()).isEqualTo(25);
    assertThat(progress.history().marks()).last().extracting(mark -> mark.served()).isEqualTo(25);
  }

  @Test
  void a_reserve_that_was_lowered_in_the_room_is_noted() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    var read = at(130, 40, 9).extended(record.reserve(), null);
    var lowered = read.withLoweredReserve();

    assertThat(record.with(lowered, RoomReserve.NONE).reserve())
        .isEqualTo(new RoomReserve(2, 1_000, 40));
    // Also if a later state was noted before.
    assertThat(record.with(at(130, 45, 10), RoomReserve.NONE).with(lowered, RoomReserve.NONE))
        .satisfies(noted -> {
          assertThat(noted.reserve()).isEqualTo(new RoomReserve(2, 1_000, 40));
          assertThat(noted.counted()).isEqualTo(Duration.ofSeconds(10));
        });
  }

  @Test
  void a_lowered_reserve_is_not_noted_if_the_record_was_raised_meanwhile() {
    var record = RoomRecord.EMPTY.with(at(130, 40, 9), new RoomReserve(1_000, 60));
    var lowered = at(130, 40, 9).extended(record.reserve(), null).withLoweredReserve();
    var raised = record.with(new RoomReserve(1_000, 70));

    assertThat(raised.with(lowered, RoomReserve.NONE).reserve()).isEqualTo(raised.reserve());
  }

  @Test
  void a_state_that_was_read_earlier_does_not_replace_a_later_one() {
    var record =
        RoomRecord.EMPTY
            .with(at(130, 40, 9), new RoomReserve(1_000, 60))
            .with(at(120, 35, 8), new RoomReserve(900, 80))
            .with(at(140, 35, 8), new RoomReserve(900, 80));

    assertThat(record.reserve()).isEqualTo(new RoomReserve(2, 1_000, 80));
    assertThat(record.lastTicket()).isEqualTo(130);
    assertThat(record.counted()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void repeated_losses_leave_some_gaps_at_most() {
    var record = RoomRecord.EMPTY;
    var epoch = FIRST;
    for (int i = 0; i < 20; i++) {
      record = record.opened(epoch, PART, TICKETS);
      record = record.with(record.atOpening(TERMS).withNextTicket(), RoomReserve.NONE);
      epoch = epoch.next();
    }
    var state = opened(record, epoch);

    assertThat(state.progress().gaps())
        .hasSizeBetween(1, 8)
        .last()
        .isEqualTo(new Gap(record.lastTicket(), state.lastTicket()));
  }
}
