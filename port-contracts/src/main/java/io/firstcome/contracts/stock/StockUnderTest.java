package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;

/** An empty stock of any backend for one test, and what becomes of its coupons from elsewhere. */
public interface StockUnderTest {

  CouponStock stock();

  /** The coupon with a stock that nobody has claimed yet. */
  StockAddress define(Coupon coupon);

  /** Brings the coupon's status and quantity into effect, as of its next revision. */
  void change(StockAddress address, Coupon changed);

  /** The user gives back what they have, and its slot goes back to stock. */
  ReleaseOutcome giveBack(StockAddress address, UserId user, Slot slot, int generation);

  /** What somebody hears who gets this slot now. */
  ClaimOutcome won(Slot slot);
}
