package io.firstcome.contracts.database;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link SlotReturns} in memory. */
final class InMemorySlotReturns implements SlotReturns {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemorySlotReturns(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public List<UserCoupon> pending(@Nullable UserCouponId after, int max) {
    return database.transaction(() ->
        tables.slotReturns.entrySet().stream()
            .filter(
                entry -> after == null || InMemoryTables.BY_TEXT.compare(entry.getKey(), after) > 0)
            .limit(max)
            .map(entry ->
                requireNonNull(tables.rows(entry.getKey().couponId()).byUser.get(entry.getValue())))
            .toList());
  }

  @Override
  public boolean isPending(CouponId couponId) {
    return database.transaction(
        () -> tables.slotReturns.keySet().stream().anyMatch(id -> id.couponId().equals(couponId)));
  }

  @Override
  public void noteReleased(UserCouponId id) {
    database.transaction(() -> tables.slotReturns.remove(id));
  }
}
