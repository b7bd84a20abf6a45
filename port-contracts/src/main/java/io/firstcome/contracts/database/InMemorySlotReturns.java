package io.firstcome.contracts.database;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponPhase;
import io.firstcome.domain.event.CouponEvent;
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
    database.transaction(() -> {
      var user = tables.slotReturns.remove(id);
      if (user != null) {
        addReturnedToSale(requireNonNull(tables.rows(id.couponId()).byUser.get(user)));
      }
      return user != null;
    });
  }

  private void addReturnedToSale(UserCoupon released) {
    var coupon = requireNonNull(tables.coupons.get(released.couponId())).coupon();
    int total = coupon.definition().totalQuantity();
    boolean wasSoldOut =
        tables.rows(coupon.id()).slotOwners.stream()
            .anyMatch(owner -> owner.slot().number() == total);
    if (wasSoldOut
        && released.slot().number() <= total
        && coupon.phaseAt(database.now(), null) == CouponPhase.OPEN) {
      tables.addToOutbox(
          new CouponEvent.ReturnedToSale(
              coupon.id(), released.slot(), released.ownership().generation(), database.now()));
    }
  }
}
