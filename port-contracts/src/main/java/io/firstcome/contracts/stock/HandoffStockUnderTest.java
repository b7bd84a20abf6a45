package io.firstcome.contracts.stock;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.WaitingRooms;

/**
 * An empty stock backend with a fence and a hand-off log for one test, and operations on its
 * server.
 */
public interface HandoffStockUnderTest extends StockUnderTest {

  StockRecovery recovery();

  HandoffLog log();

  SoldOutLeases leases();

  WaitingRooms rooms();

  /** Ends the server and starts it again with all its data. */
  void restart();

  /** Deletes all data of the server, without a restart. */
  void wipe();

  @Override
  default StockAddress define(Coupon coupon) {
    if (!recovery().fence(coupon.partition()).isOpenAt(StockScenario.FIRST)) {
      return StockScenario.opened(this, coupon, StockScenario.FIRST);
    }
    var address = StockScenario.address(coupon, StockScenario.FIRST);
    stock().create(address, coupon.campaign(), StockTerms.of(coupon));
    return address;
  }

  @Override
  default void change(StockAddress address, Coupon changed) {
    stock().apply(address, StockTerms.of(changed));
  }

  @Override
  default ReleaseOutcome giveBack(StockAddress address, UserId user, Slot slot, int generation) {
    return stock().release(address, user, slot, generation);
  }

  @Override
  default void erase(StockAddress address, UserId user) {
    stock().erase(address, user, CouponFixtures.pseudonymOf(user));
  }

  @Override
  default ClaimOutcome won(Slot slot) {
    return new ClaimOutcome.Accepted(slot);
  }
}
