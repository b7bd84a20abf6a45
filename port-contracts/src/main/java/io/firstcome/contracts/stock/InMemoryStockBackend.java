package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockRecovery;
import java.time.InstantSource;
import java.util.Map;

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

  /** What the server holds at a moment of one of its runs. */
  public static final class Copy {

    private final InMemoryServer.Copy data;

    private Copy(InMemoryServer.Copy data) {
      this.data = data;
    }
  }

  public Copy copy() {
    return new Copy(server.copy());
  }

  /** Forgets everything since the copy, and is on a run of its own: writes were lost. */
  public void setBackTo(Copy copy) {
    server.become(copy.data);
    server.restart();
  }

  /** Is the server that was copied again, on the same run: a master that was left and came back. */
  public void failBackTo(Copy copy) {
    server.become(copy.data);
  }

  /** What the coupon's ledger says, whatever the fence says. */
  public Map<UserId, LedgerMark> marks(Partition partition, CouponId couponId) {
    return server.atomically(() -> Map.copyOf(server.partition(partition).stock(couponId).ledger));
  }
}
