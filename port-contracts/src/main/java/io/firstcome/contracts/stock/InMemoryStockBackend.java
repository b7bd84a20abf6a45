package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.WaitingRooms;
import java.time.InstantSource;
import java.util.Map;

/** The reference stock backend: stock, recovery and log over one server in memory. */
public final class InMemoryStockBackend implements HandoffStockUnderTest {

  private final InMemoryServer server;

  /**
   * @param clock the clock of the server
   * @param logCap number of unrecorded entries of one partition at which new users are busy
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
  public SoldOutLeases leases() {
    return new InMemorySoldOutLeases(server);
  }

  @Override
  public WaitingRooms rooms() {
    return new InMemoryWaitingRooms(server, new InMemoryStock(server));
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void wipe() {
    server.wipe();
  }

  /** A snapshot of the server, with its run. */
  public static final class Copy {

    private final InMemoryServer.Copy data;

    private Copy(InMemoryServer.Copy data) {
      this.data = data;
    }
  }

  public Copy copy() {
    return new Copy(server.copy());
  }

  /** Restores the copy on a new run: writes since then are lost. */
  public void setBackTo(Copy copy) {
    server.become(copy.data);
    server.restart();
  }

  /** Becomes the copied server again, on the same run: a replaced master that came back. */
  public void failBackTo(Copy copy) {
    server.become(copy.data);
  }

  /**
   * Whether a refusal of the user as sold out, by an instance that knows this epoch, is wrong now:
   * the coupon accepts calls in this epoch or a later one, and the user has a mark, or a claim of
   * the user would get a slot.
   */
  public boolean contradictsSoldOut(StockAddress coupon, UserId user) {
    return server.atomically(() -> {
      var partition = server.partition(coupon.partition());
      var fence = partition.fence();
      var stock = partition.stock(coupon.couponId());
      boolean acceptsCalls =
          fence.ofThisServer()
              && stock.isReadyIn(fence.epoch())
              && !coupon.epoch().isAfter(fence.epoch());
      return acceptsCalls
          && (stock.ledger.containsKey(user)
              || (stock.free() > 0 && stock.lease == SoldOutLeases.NONE));
    });
  }

  /** The marks in the coupon's ledger, whatever the state of the fence. */
  public Map<UserId, LedgerMark> marks(Partition partition, CouponId couponId) {
    return server.atomically(() -> Map.copyOf(server.partition(partition).stock(couponId).ledger));
  }
}
