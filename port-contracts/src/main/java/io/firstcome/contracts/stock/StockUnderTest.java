package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;

/** An empty stock of any backend for one test, and changes of its coupons. */
public interface StockUnderTest {

  CouponStock stock();

  /** Defines the coupon, with a stock of which no slot is claimed. */
  StockAddress define(Coupon coupon);

  /** Applies the coupon's status and quantity, which have the next revision. */
  void change(StockAddress address, Coupon changed);

  /** The user returns the user coupon, and its slot goes back to stock. */
  ReleaseOutcome giveBack(StockAddress address, UserId user, Slot slot, int generation);

  /** Erases the user from stock and rows of the coupon. */
  void erase(StockAddress address, UserId user);

  /** The outcome of a claim that gets this slot. */
  ClaimOutcome won(Slot slot);
}
