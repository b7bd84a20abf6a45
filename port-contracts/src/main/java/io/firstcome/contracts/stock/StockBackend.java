package io.firstcome.contracts.stock;

import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockRecovery;

/** An empty stock backend for one test, and what a test may do to its server. */
public interface StockBackend {

  CouponStock stock();

  StockRecovery recovery();

  HandoffLog log();

  /** Ends the server and starts it again with all its data. */
  void restart();

  /** Makes the server forget everything, without a restart. */
  void wipe();
}
