package io.firstcome.application;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** An operator has the stock of all coupons rebuilt. */
public final class RecoverEveryPartition {

  private final StockKeeper keeper;
  private final AuditTrail audit;
  private final InstantSource clock;

  public RecoverEveryPartition(StockKeeper keeper, AuditTrail audit, InstantSource clock) {
    this.keeper = keeper;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Recovers one partition after the other.
   *
   * @param databaseWasSetBack see {@link StockKeeper#recover}
   * @return what came of it, in the order in which it was done
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is away, or was taken
   *     over by another recoverer
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public Map<Partition, Recovery> recover(boolean databaseWasSetBack, Actor actor)
      throws InterruptedException {
    audit.add(AuditEntry.ofRecovery(databaseWasSetBack, actor, clock.instant()));
    var recoveries = new LinkedHashMap<Partition, Recovery>();
    for (var partition : keeper.partitions()) {
      recoveries.put(partition, keeper.recover(partition, databaseWasSetBack));
    }
    return recoveries;
  }
}
