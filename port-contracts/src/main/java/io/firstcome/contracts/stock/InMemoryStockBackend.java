package io.firstcome.contracts.stock;

import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockRecovery;
import java.time.InstantSource;

/** The reference stock backend: stock, recovery and log over one server in memory. */
public final class InMemoryStockBackend implements StockBackend {

  private final InMemoryServer server;

  /**
   * @param clock the server's own
   * @param logCap unrecorded entries of one partition from which on new users are refused
   */
  public InMemoryStockBackend(InstantSource clock, int logCap) {
    server = new InMemoryServer(clock, logCap);
  }

  @Override
  public CouponStock stock() {
    return new InMemoryStock(server);
  }

  @Override
  public StockRecovery recovery() {
    return new InMemoryStockRecovery(server);
  }

  @Override
  public HandoffLog log() {
    return new InMemoryHandoffLog(server);
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void wipe() {
    server.wipe();
  }
}
