package io.firstcome.application;

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
   * @throws StockUnavailableException if recovery was begun and did not come to its end: a server
   *     is away, or another recoverer took over. Asking again is safe
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not say that
   *     this is noted; no recovery was begun
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
      // Whatever is known of the one call that failed: others have taken effect before it.
      throw new StockUnavailableException(Effect.UNKNOWN, "recovery did not come to its end", e);
    }
    return recoveries;
  }
}
