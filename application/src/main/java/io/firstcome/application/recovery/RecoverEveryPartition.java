package io.firstcome.application.recovery;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** An operator requests that the stock of all coupons is rebuilt. */
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
   * @return the result for each partition, in the order of execution
   * @throws StockUnavailableException if recovery was begun and not completed: a server is not
   *     reachable, or another recoverer took over. A retry is safe
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the audit entry; no recovery was begun
   */
  public Map<Partition, Recovery> recover(boolean databaseWasSetBack, Actor actor)
      throws InterruptedException {
    audit.add(AuditEntry.ofRecovery(databaseWasSetBack, actor, clock.instant()));
    var recoveries = new LinkedHashMap<Partition, Recovery>();
    try {
      for (var partition : keeper.partitions()) {
        recoveries.put(partition, keeper.recover(partition, databaseWasSetBack));
      }
    } catch (ServerUnavailableException e) {
      // Even if the failed call had no effect: earlier calls had one.
      throw new StockUnavailableException(Effect.UNKNOWN, "recovery was not completed", e);
    }
    return recoveries;
  }
}
