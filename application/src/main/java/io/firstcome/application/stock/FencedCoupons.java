package io.firstcome.application.stock;

import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The coupons whose calls were fenced since the last check. Nearly always the partition is closed;
 * see {@link HealMissingStock} for other cases. Thread-safe.
 */
public final class FencedCoupons {

  /**
   * The maximum number of remembered coupons. Another one is reported again by its next call, and a
   * recovery for one coupon heals all of its partition.
   */
  private static final int MAX_PER_PARTITION = 100;

  private final ConcurrentHashMap<Partition, Set<StockAddress>> fenced = new ConcurrentHashMap<>();

  public void add(StockAddress coupon) {
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

  /** Returns and removes those of the partition. */
  public Set<StockAddress> take(Partition partition) {
    var taken = fenced.remove(partition);
    return taken == null ? Set.of() : taken;
  }
}
