package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.waitingroom.Gap;
import io.firstcome.domain.waitingroom.RoomRecord;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.ServingHistory.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What every database does with the records of waiting rooms. */
public abstract class RoomRecordsContract extends DatabaseContract {

  private static final RoomReserve RESERVE = new RoomReserve(3, 100, 40);
  private static final RoomRecord NOTED =
      new RoomRecord(
          RESERVE,
          new RoomRecord.Opening(new Epoch(EPOCH), 10, 2),
          80,
          Duration.ofMillis(12_345),
          List.of(new Mark(Duration.ofSeconds(10), 7), new Mark(Duration.ofSeconds(20), 30)),
          List.of(new Gap(50, 60)),
          null);

  private RoomRecords rooms() {
    return database().rooms();
  }

  private static StockAddress address(Coupon coupon, long epoch) {
    return new StockAddress(coupon.id(), coupon.partition(), new Epoch(epoch));
  }

  private StockAddress definedRoom() {
    return address(defined(aCoupon().withWaitingRoom(500)), EPOCH);
  }

  @Test
  void a_record_begins_empty_and_is_stored_as_it_was_changed() {
    var coupon = definedRoom();
    assertThat(rooms().find(coupon.couponId())).isEmpty();

    var changed =
        rooms()
            .change(
                coupon,
                before -> {
                  assertThat(before).isEqualTo(RoomRecord.EMPTY);
                  return NOTED;
                });

    assertThat(changed).contains(NOTED);
    assertThat(rooms().find(coupon.couponId())).contains(NOTED);
    assertThat(rooms().change(coupon, before -> before.with(new RoomReserve(30, 90))))
        .hasValueSatisfying(
            after -> assertThat(after.reserve()).isEqualTo(new RoomReserve(4, 100, 90)));
  }

  @Test
  void another_epoch_changes_nothing() {
    var coupon = definedRoom();
    rooms().change(coupon, before -> NOTED);

    for (long other : new long[] {EPOCH - 1, EPOCH + 1}) {
      var stale = new StockAddress(coupon.couponId(), coupon.partition(), new Epoch(other));
      assertThat(rooms().change(stale, before -> before.with(new RoomReserve(999, 999)))).isEmpty();
      assertThat(rooms().draw(stale, 5)).isEmpty();
    }

    assertThat(rooms().find(coupon.couponId())).contains(NOTED);
  }

  @Test
  void an_unknown_coupon_has_no_record() {
    var defined = defined(aCoupon());
    var unknown = new StockAddress(UNKNOWN, defined.partition(), new Epoch(EPOCH));

    assertThat(rooms().change(unknown, before -> NOTED)).isEmpty();
    assertThat(rooms().draw(unknown, 5)).isEmpty();
    assertThat(rooms().find(UNKNOWN)).isEmpty();
  }

  @Test
  void the_order_is_drawn_once() {
    var coupon = definedRoom();
    rooms().change(coupon, before -> NOTED);

    assertThat(rooms().draw(coupon, 70)).contains(70);
    assertThat(rooms().draw(coupon, 75)).contains(70);
    rooms().change(coupon, before -> before.with(new RoomReserve(200, 50)));

    assertThat(rooms().find(coupon.couponId()))
        .hasValueSatisfying(after -> {
          assertThat(after.drawn()).isEqualTo(70);
          assertThat(after.gaps()).isEmpty();
        });
  }

  @Test
  void the_order_is_not_drawn_before_the_opening() {
    var opensAt = Instant.now().plusSeconds(3_600);
    var later = aCoupon().withWaitingRoom(500).opening(opensAt, opensAt.plusSeconds(60));
    var coupon = address(defined(later), EPOCH);
    rooms().change(coupon, before -> NOTED);

    assertThat(rooms().draw(coupon, 70)).isEmpty();
    assertThat(rooms().find(coupon.couponId())).contains(NOTED);
  }

  @Test
  void tickets_that_were_drawn_count_as_given() {
    var coupon = definedRoom();
    rooms().change(coupon, before -> NOTED);

    rooms().draw(coupon, 95);

    assertThat(rooms().find(coupon.couponId()))
        .hasValueSatisfying(after -> assertThat(after.lastTicket()).isEqualTo(95));
  }

  @Test
  void concurrent_changes_follow_each_other() throws Exception {
    var coupon = definedRoom();
    int threads = 8;
    var start = new CountDownLatch(1);

    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        var _ =
            executor.submit(() -> {
              start.await();
              for (int j = 0; j < 10; j++) {
                rooms()
                    .change(
                        coupon,
                        before -> before.with(new RoomReserve(before.reserve().tickets() + 1, 0)));
              }
              return true;
            });
      }
      start.countDown();
    }

    assertThat(rooms().find(coupon.couponId()))
        .hasValueSatisfying(after -> assertThat(after.reserve().tickets()).isEqualTo(10 * threads));
  }
}
