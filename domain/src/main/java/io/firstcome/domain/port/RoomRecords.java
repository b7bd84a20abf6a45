package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.waitingroom.RoomRecord;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the system of record knows of waiting rooms. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface RoomRecords {

  /** The record of the coupon's room, if it was ever opened. */
  Optional<RoomRecord> find(CouponId coupon);

  /**
   * Changes the record, in one transaction that holds the epoch of the partition: the epoch cannot
   * be raised meanwhile, and no other change takes place in between.
   *
   * @param change the record before, {@link RoomRecord#EMPTY} if there is none, to the one after;
   *     without a draw. It may be called again if the transaction is repeated
   * @return the record after the change; empty if the partition has another epoch than the address,
   *     or there is no such coupon: nothing changed
   */
  Optional<RoomRecord> change(StockAddress coupon, UnaryOperator<RoomRecord> change);

  /**
   * Draws the order among tickets, if the coupon is open by the clock of the database and has no
   * draw yet.
   *
   * @param tickets that were given, and were read after the opening
   * @return among how many tickets the order is drawn, by this call or before; empty before the
   *     opening, or if the partition has another epoch than the address
   */
  Optional<Integer> draw(StockAddress coupon, int tickets);
}
