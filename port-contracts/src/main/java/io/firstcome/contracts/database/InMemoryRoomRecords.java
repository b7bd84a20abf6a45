package io.firstcome.contracts.database;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.waitingroom.RoomRecord;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@link RoomRecords} in memory. */
final class InMemoryRoomRecords implements RoomRecords {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryRoomRecords(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Optional<RoomRecord> find(CouponId coupon) {
    return database.transaction(() -> Optional.ofNullable(tables.rooms.get(coupon)));
  }

  @Override
  public Optional<RoomRecord> change(StockAddress coupon, UnaryOperator<RoomRecord> change) {
    return database.transaction(() -> {
      if (!isInEpoch(coupon) || !tables.coupons.containsKey(coupon.couponId())) {
        return Optional.empty();
      }
      var before = tables.rooms.getOrDefault(coupon.couponId(), RoomRecord.EMPTY);
      var after = change.apply(before);
      tables.rooms.put(coupon.couponId(), after);
      return Optional.of(after);
    });
  }

  @Override
  public Optional<Integer> draw(StockAddress coupon, int tickets) {
    return database.transaction(() -> {
      if (!isInEpoch(coupon)) {
        return Optional.empty();
      }
      var room = tables.rooms.get(coupon.couponId());
      if (room == null) {
        return Optional.empty();
      }
      var row = requireNonNull(tables.coupons.get(coupon.couponId()));
      if (room.drawn() == null
          && !database.now().isBefore(row.coupon().definition().window().opensAt())) {
        room = room.drawnAmong(tickets);
        tables.rooms.put(coupon.couponId(), room);
      }
      return Optional.ofNullable(room.drawn());
    });
  }

  private boolean isInEpoch(StockAddress coupon) {
    return tables.epoch(coupon.partition()).equals(coupon.epoch());
  }
}
