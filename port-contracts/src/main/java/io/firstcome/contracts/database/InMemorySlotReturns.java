package io.firstcome.contracts.database;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link SlotReturns} in memory. */
final class InMemorySlotReturns implements SlotReturns {

  private static final Comparator<UserCoupon> IN_ORDER =
      comparing(UserCoupon::couponId)
          .thenComparingInt(userCoupon -> userCoupon.ownership().generation())
          .thenComparing(UserCoupon::slot);

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemorySlotReturns(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public List<UserCoupon> pending(@Nullable UserCoupon after, int max) {
    return database.transaction(() ->
        tables.slotReturns.entrySet().stream()
            .map(entry ->
                requireNonNull(tables.rows(entry.getKey().couponId()).byUser.get(entry.getValue())))
            .filter(userCoupon -> after == null || IN_ORDER.compare(userCoupon, after) > 0)
            .sorted(IN_ORDER)
            .limit(max)
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
