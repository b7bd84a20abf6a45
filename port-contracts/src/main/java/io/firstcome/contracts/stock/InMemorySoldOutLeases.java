package io.firstcome.contracts.stock;

import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.SoldOutLeases;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The leases of the in-memory reference stock. */
final class InMemorySoldOutLeases implements SoldOutLeases {

  private final InMemoryServer server;

  InMemorySoldOutLeases(InMemoryServer server) {
    this.server = server;
  }

  @Override
  public Optional<SoldOutLease> request(StockAddress coupon) {
    return server.atomically(() -> {
      var _ = server.openPartition(coupon);
      var stock = server.openCoupon(coupon);
      if (!isSoldOut(stock) || stock.adoptionWaits) {
        return Optional.empty();
      }
      stock.leases++;
      stock.lease = stock.leases;
      return Optional.of(new MarkedUsers(new TreeSet<>(stock.ledger.keySet())));
    });
  }

  /** The users who had a mark when the lease was granted. */
  private record MarkedUsers(Set<UserId> users) implements SoldOutLease {

    @Override
    public boolean mayHaveMark(UserId user) {
      return users.contains(user);
    }
  }

  private boolean isSoldOut(InMemoryServer.Stock stock) {
    var window = stock.terms().window();
    return stock.terms().status() == CouponStatus.ACTIVE
        && !server.now().isBefore(window.opensAt())
        && server.now().plus(SoldOutLease.LENGTH).isBefore(window.closesAt())
        && stock.free() == 0;
  }

  @Override
  public long latest(StockAddress coupon) {
    return server.atomically(() -> server.openCoupon(coupon).lease);
  }

  @Override
  public void end(StockAddress coupon, long lease) {
    server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      if (stock.lease == lease) {
        stock.lease = NONE;
      }
      return stock;
    });
  }
}
