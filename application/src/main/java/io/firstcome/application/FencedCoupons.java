package io.firstcome.application;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The coupons whose calls met a fence since they were last looked at. Nearly always the partition
 * is closed; see {@link HealMissingStock} for the rest. For any number of threads.
 */
public final class FencedCoupons {

  /**
   * Coupons of a partition that are remembered. One that is not is reported again by its next call,
   * and a recovery that is started for one heals all.
   */
  private static final int MAX_PER_PARTITION = 100;

  private final ConcurrentHashMap<Partition, Set<StockAddress>> fenced = new ConcurrentHashMap<>();

  void add(StockAddress coupon) {
    fenced.compute(
        coupon.partition(),
        (_, known) -> {
          var all = known == null ? new HashSet<StockAddress>() : known;
          if (all.size() < MAX_PER_PARTITION) {
            all.add(coupon);
          }
          return all;
        });
  }

  /** Those of the partition, which are forgotten by this. */
  Set<StockAddress> take(Partition partition) {
    var taken = fenced.remove(partition);
    return taken == null ? Set.of() : taken;
  }
}
