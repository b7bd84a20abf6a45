package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.StockFencedException;
import java.util.List;

/** Checks whether the servers of a history have pending work. */
final class ServersAtRest {

  private final SimulatedServers servers;
  private final List<Partition> partitions;
  private final List<Coupon> coupons;

  ServersAtRest(SimulatedServers servers, List<Partition> partitions, List<Coupon> coupons) {
    this.servers = servers;
    this.partitions = partitions;
    this.coupons = coupons;
  }

  /** Whether no claim, message, return, change, erasure or recovery is pending. */
  boolean areAtRest() {
    return servers.broker.waiting() == 0
        && servers.broker.heldCount() == 0
        && servers.waitingForOperator().isEmpty()
        && servers.database.slotReturns().pending(null, 1).isEmpty()
        && servers.database.coupons().unapplied(null, 1).isEmpty()
        && servers.database.erasures().pending(null, 1).isEmpty()
        && partitions.stream().allMatch(this::isAtRest)
        && coupons.stream().allMatch(this::hasItsTerms);
  }

  private boolean hasItsTerms(Coupon coupon) {
    var stored = servers.database.coupons().find(coupon.id()).orElseThrow();
    try {
      var epoch = servers.database.epochs().current(coupon.partition());
      var address = new StockAddress(coupon.id(), coupon.partition(), epoch);
      return stored.status() == CouponStatus.ARCHIVED
          || servers.stock.stock().terms(address).equals(StockTerms.of(stored));
    } catch (StockFencedException e) {
      return false;
    }
  }

  /** Whether the stock may still have archived coupons of an older state. */
  boolean haveToClear() {
    return !partitions.stream().allMatch(this::isCleared);
  }

  private boolean isCleared(Partition partition) {
    var epoch = servers.database.epochs().current(partition);
    return servers.stock.recovery().clearing(partition, epoch).equals(new ArchiveClearing.Done());
  }

  private boolean isAtRest(Partition partition) {
    return servers.isOpen(partition)
        && servers.stock.log().depth(partition).entries() == 0
        && servers.database.lateClaims().next(partition, null, 1).isEmpty();
  }
}
