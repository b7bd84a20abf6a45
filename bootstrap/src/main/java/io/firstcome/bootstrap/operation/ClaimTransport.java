package io.firstcome.bootstrap.operation;

import io.firstcome.application.ClearArchivedCoupons;
import io.firstcome.application.HealMissingStock;
import io.firstcome.application.RecordAcceptedClaims;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RelayEvents;
import io.firstcome.application.ReplayDeadLetters;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockKeeper;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * What goes on between Redis, the broker and the database without being asked: keeping the stock
 * open and free of what was archived, carrying accepted claims on, settling late ones, trying dead
 * letters again, telling others.
 */
@Component
@WithRedis
class ClaimTransport extends WorkInLoops {

  /** How often the fences are looked at when nobody has met a closed one. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** However many claims meet a closed fence while another partition is being rebuilt. */
  private static final Duration NEXT_LOOK_AFTER = Duration.ofMillis(25);

  /**
   * What is accepted within it goes to the broker together. The first claim after a quiet time goes
   * at once.
   */
  private static final Duration RELAY_EVERY = Duration.ofMillis(25);

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  private static final Duration LATE_CLAIMS_EVERY = Duration.ofMillis(500);
  private static final Duration DEAD_LETTERS_EVERY = Duration.ofSeconds(1);

  private static final Duration ARCHIVED_EVERY = Duration.ofSeconds(1);

  /** A page holds the server for a millisecond or two, so claims hardly feel it. */
  private static final Duration NEXT_ARCHIVED_AFTER = Duration.ofMillis(100);

  /** How late others hear of something, beside the broker's time. */
  private static final Duration EVENTS_EVERY = Duration.ofMillis(250);

  /**
   * Where one queue refuses events, all others that are bound to them are given them with each try.
   */
  private static final Duration EVENTS_AGAIN_AFTER = Duration.ofSeconds(5);

  /** How late a waiting caller may hear of a row that another instance recorded. */
  private static final Duration AWAITED_ROWS_EVERY = Duration.ofMillis(50);

  private final StockKeeper keeper;
  private final ClearArchivedCoupons clearArchivedCoupons;
  private final HealMissingStock healMissingStock;
  private final RelayAcceptedClaims relay;
  private final RecordAcceptedClaims recorder;
  private final SettleLateClaims settleLateClaims;
  private final ReplayDeadLetters replayDeadLetters;
  private final RelayEvents relayEvents;
  private final RowArrivals arrivals;

  ClaimTransport(
      StockKeeper keeper,
      ClearArchivedCoupons clearArchivedCoupons,
      HealMissingStock healMissingStock,
      RelayAcceptedClaims relay,
      RecordAcceptedClaims recorder,
      SettleLateClaims settleLateClaims,
      ReplayDeadLetters replayDeadLetters,
      RelayEvents relayEvents,
      RowArrivals arrivals,
      IssuanceObserver observer) {
    super(observer);
    this.keeper = keeper;
    this.clearArchivedCoupons = clearArchivedCoupons;
    this.healMissingStock = healMissingStock;
    this.relay = relay;
    this.recorder = recorder;
    this.settleLateClaims = settleLateClaims;
    this.replayDeadLetters = replayDeadLetters;
    this.relayEvents = relayEvents;
    this.arrivals = arrivals;
  }

  @Override
  List<Loop> loops() {
    var all = new ArrayList<Loop>();
    for (var partition : keeper.partitions()) {
      all.add(loop("keeping partition " + partition, () -> keep(partition)));
      all.add(loop("settling late claims of " + partition, () -> settle(partition)));
    }
    all.add(loop("looking at the fences", this::lookAtFences));
    all.add(loop("clearing archived coupons", this::clearArchived));
    all.add(loop("relay", this::relayNew));
    all.add(loop("sweep", this::sweep));
    all.add(loop("replaying dead letters", this::replay));
    all.add(loop("publishing events", this::relayEvents, EVENTS_AGAIN_AFTER));
    all.add(loop("awaited rows", this::lookForAwaitedRows));
    return all;
  }

  private Duration keep(Partition partition) throws InterruptedException {
    keeper.keep(partition);
    healMissingStock.look(partition);
    keeper.awaitNextLook(LOOK_EVERY);
    return NEXT_LOOK_AFTER;
  }

  private Duration lookAtFences() {
    keeper.lookAtFences();
    return LOOK_EVERY;
  }

  private Duration clearArchived() {
    return clearArchivedCoupons.clearNext() ? NEXT_ARCHIVED_AFTER : ARCHIVED_EVERY;
  }

  private Duration settle(Partition partition) {
    return settleLateClaims.settle(partition) > 0 ? Duration.ZERO : LATE_CLAIMS_EVERY;
  }

  /** Waits at the log by itself. */
  private Duration relayNew() {
    return relay.relayNew() > 0 ? RELAY_EVERY : Duration.ZERO;
  }

  /** While nothing can be recorded, publishing again would only fill the queue. */
  private Duration sweep() {
    return !recorder.isPaused() && relay.relayStale() > 0 ? Duration.ZERO : SWEEP_EVERY;
  }

  private Duration replay() {
    return replayDeadLetters.replayDue() ? Duration.ZERO : DEAD_LETTERS_EVERY;
  }

  private Duration relayEvents() {
    return relayEvents.relayNext() > 0 ? Duration.ZERO : EVENTS_EVERY;
  }

  private Duration lookForAwaitedRows() {
    arrivals.lookForAwaitedRows();
    return AWAITED_ROWS_EVERY;
  }
}
