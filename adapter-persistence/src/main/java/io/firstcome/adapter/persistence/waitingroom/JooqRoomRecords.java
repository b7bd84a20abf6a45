package io.firstcome.adapter.persistence.waitingroom;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.generated.Tables.WAITING_ROOM;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.generated.tables.records.WaitingRoomRecord;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.waitingroom.Gap;
import io.firstcome.domain.waitingroom.RoomRecord;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.ServingHistory.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** {@link RoomRecords} in PostgreSQL. */
public final class JooqRoomRecords implements RoomRecords {

  private final Database database;
  private final PersistenceLimits limits;

  public JooqRoomRecords(Database database, PersistenceLimits limits) {
    this.database = database;
    this.limits = limits;
  }

  @Override
  public Optional<RoomRecord> find(CouponId coupon) {
    return database.read(dsl ->
        dsl.selectFrom(WAITING_ROOM).where(isOf(coupon)).fetchOptional(JooqRoomRecords::fromRow));
  }

  @Override
  public Optional<RoomRecord> change(StockAddress coupon, UnaryOperator<RoomRecord> change) {
    return database.transaction(dsl -> {
      if (!holdsEpoch(dsl, coupon)) {
        return Optional.empty();
      }
      insertIfAbsent(dsl, coupon.couponId());
      return dsl.selectFrom(WAITING_ROOM)
          .where(isOf(coupon.couponId()))
          .forUpdate()
          .fetchOptional()
          .map(row -> {
            var changed = change.apply(fromRow(row));
            put(changed, row);
            dsl.executeUpdate(row);
            return changed;
          });
    });
  }

  @Override
  public Optional<Integer> draw(StockAddress coupon, int tickets) {
    return database.transaction(dsl -> {
      if (!holdsEpoch(dsl, coupon)) {
        return Optional.empty();
      }
      dsl.update(WAITING_ROOM)
          .set(WAITING_ROOM.DRAWN_TICKETS, tickets)
          .set(WAITING_ROOM.LAST_TICKET, greatest(WAITING_ROOM.LAST_TICKET, val(tickets)))
          .set(WAITING_ROOM.GAPS, new Integer[0])
          .where(isOf(coupon.couponId()))
          .and(WAITING_ROOM.DRAWN_TICKETS.isNull())
          .andExists(
              selectOne()
                  .from(COUPON)
                  .where(COUPON.COUPON_ID.eq(coupon.couponId().value()))
                  .and(condition("{0} <= clock_timestamp()", COUPON.OPENS_AT)))
          .execute();
      return dsl.select(WAITING_ROOM.DRAWN_TICKETS)
          .from(WAITING_ROOM)
          .where(isOf(coupon.couponId()))
          .fetchOptional(WAITING_ROOM.DRAWN_TICKETS);
    });
  }

  private boolean holdsEpoch(DSLContext dsl, StockAddress coupon) {
    var held = Epochs.hold(dsl, List.of(coupon.partition()), limits.shortLockWait());
    return coupon.epoch().equals(held.get(coupon.partition()));
  }

  private static void insertIfAbsent(DSLContext dsl, CouponId coupon) {
    dsl.insertInto(WAITING_ROOM, WAITING_ROOM.COUPON_NUMBER)
        .select(
            select(COUPON.COUPON_NUMBER).from(COUPON).where(COUPON.COUPON_ID.eq(coupon.value())))
        .onConflictDoNothing()
        .execute();
  }

  private static Condition isOf(CouponId coupon) {
    return WAITING_ROOM.COUPON_NUMBER.eq(CouponRows.numberOf(coupon));
  }

  private static RoomRecord fromRow(WaitingRoomRecord row) {
    var marks = new ArrayList<Mark>();
    for (int i = 0; i < row.getMarks().length; i += 2) {
      var end = Duration.ofMillis(row.getMarks()[i]);
      marks.add(new Mark(end, Math.toIntExact(row.getMarks()[i + 1])));
    }
    var gaps = new ArrayList<Gap>();
    for (int i = 0; i < row.getGaps().length; i += 2) {
      gaps.add(new Gap(row.getGaps()[i], row.getGaps()[i + 1]));
    }
    return new RoomRecord(
        new RoomReserve(row.getReserveVersion(), row.getTickets(), row.getPlaces()),
        new RoomRecord.Opening(
            new Epoch(row.getOpenedInEpoch()), row.getOpenedAtTicket(), row.getOpenedAtPlace()),
        row.getLastTicket(),
        Duration.ofMillis(row.getCountedMillis()),
        marks,
        gaps,
        row.getDrawnTickets());
  }

  private static void put(RoomRecord room, WaitingRoomRecord row) {
    row.setReserveVersion(room.reserve().version());
    row.setTickets(room.reserve().tickets());
    row.setPlaces(room.reserve().places());
    row.setOpenedInEpoch(room.opening().epoch().number());
    row.setOpenedAtTicket(room.opening().lastTicket());
    row.setOpenedAtPlace(room.opening().served());
    row.setLastTicket(room.lastTicket());
    row.setCountedMillis(room.counted().toMillis());
    row.setMarks(
        room.marks().stream()
            .flatMap(mark -> Stream.of(mark.end().toMillis(), (long) mark.served()))
            .toArray(Long[]::new));
    row.setGaps(
        room.gaps().stream()
            .flatMap(gap -> Stream.of(gap.after(), gap.to()))
            .toArray(Integer[]::new));
  }
}
