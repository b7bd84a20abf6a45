package io.firstcome.application;

import io.firstcome.application.reconciliation.Pace;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What an instance needs besides its ports.
 *
 * @param backends of the stock, of new and of existing coupons
 * @param partitionCount partitions over which new coupons are spread, numbered from 0
 * @param ownersUse whether owners can use user coupons without a shop
 * @param clock the database's
 * @param processClock the clocks of this process
 * @param claims runs the calls of group commit, started in the order in which they are given
 * @param proofs runs comparisons, which block
 * @param leasing runs requests of leases, which block
 * @param reading runs reads of the database that the caller does not wait for, or not yet
 * @param maps for the caches of the instance
 * @param reconciling how fast the reconciler works
 */
public record InstanceSettings(
    CodeKeys codeKeys,
    StockBackends backends,
    int partitionCount,
    boolean ownersUse,
    InstantSource clock,
    ProcessClock processClock,
    Executor claims,
    Executor proofs,
    Executor leasing,
    Executor reading,
    BoundedMaps maps,
    Pace reconciling,
    ApplicationLimits limits,
    IssuanceObserver observer) {

  List<Partition> partitions() {
    return Partition.all(partitionCount);
  }
}
