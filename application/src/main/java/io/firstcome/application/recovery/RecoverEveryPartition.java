package io.firstcome.application.recovery;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operator requests that the stock of all coupons is rebuilt. */
public final class RecoverEveryPartition {

  /** How long a statement waits for the one of a second operator. */
  private static final Duration STATEMENT_HOLDS = Duration.ofMinutes(15);

  private final StockKeeper keeper;
  private final AuditTrail audit;
  private final InstantSource clock;

  public RecoverEveryPartition(StockKeeper keeper, AuditTrail audit, InstantSource clock) {
    this.keeper = keeper;
    this.audit = audit;
    this.clock = clock;
  }

  /** What became of the request. */
  public sealed interface Outcome {

    /**
     * Recoveries were executed.
     *
     * @param recoveries the result for each partition, in the order of execution
     */
    record Recovered(Map<Partition, Recovery> recoveries) implements Outcome {}

    /**
     * Nothing was recovered.
     *
     * @param until when another operator can make the same request, to have it executed
     */
    record NeedsSecondOperator(Instant until) implements Outcome {}
  }

  /** Recovers one partition after the other, from what the database knows. */
  public Outcome recover(Actor operator) throws InterruptedException {
    return recover(null, operator);
  }

  /**
   * Recovers one partition after the other, although the database knows less than the stock: it was
   * restored from an older backup. A wrong statement would issue slots twice, so two operators must
   * make it, within a quarter of an hour.
   *
   * @throws StockUnavailableException if recovery was begun and not completed: a server is not
   *     reachable, or another recoverer took over. A retry is safe
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the audit entry; no recovery was begun
   */
  public Outcome recoverFromOlderDatabase(Actor operator) throws InterruptedException {
    var now = clock.instant();
    var other = statementOfAnother(operator, now);
    if (other.isEmpty()) {
      audit.add(AuditEntry.ofSetBack(operator, now));
      return new Outcome.NeedsSecondOperator(now.plus(STATEMENT_HOLDS));
    }
    return recover(other.get(), operator);
  }

  private Optional<Actor> statementOfAnother(Actor operator, Instant now) {
    return audit
        .newestOfStock()
        .filter(entry -> entry.action() == Action.STATE_SET_BACK)
        .filter(entry -> !entry.actor().equals(operator))
        .filter(entry -> now.isBefore(entry.at().plus(STATEMENT_HOLDS)))
        .map(AuditEntry::actor);
  }

  /**
   * @param stated the other operator who states that the database was set back, or null
   */
  private Outcome recover(@Nullable Actor stated, Actor operator) throws InterruptedException {
    audit.add(AuditEntry.ofRecovery(stated, operator, clock.instant()));
    var recoveries = new LinkedHashMap<Partition, Recovery>();
    try {
      for (var partition : keeper.partitions()) {
        recoveries.put(partition, keeper.recover(partition, stated != null));
      }
    } catch (ServerUnavailableException e) {
      // Even if the failed call had no effect: earlier calls had one.
      throw new StockUnavailableException(Effect.UNKNOWN, "recovery was not completed", e);
    }
    return new Outcome.Recovered(recoveries);
  }
}
