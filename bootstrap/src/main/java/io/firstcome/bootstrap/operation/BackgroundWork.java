package io.firstcome.bootstrap.operation;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.ExpireUserCoupons;
import io.firstcome.application.ReconcileCoupons;
import io.firstcome.application.RecordAcceptedClaims;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RelayEvents;
import io.firstcome.application.ReleaseSlots;
import io.firstcome.application.ReplayDeadLetters;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockKeeper;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * All that goes on without being asked: keeping the stock open, carrying accepted claims on,
 * settling late ones, trying dead letters again, recording what time has ended, telling others.
 */
@Component
class BackgroundWork implements SmartLifecycle {

  /** How often the fences are looked at when nobody has met a closed one. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);
  private static final Duration LATE_CLAIMS_EVERY = Duration.ofMillis(500);
  private static final Duration DEAD_LETTERS_EVERY = Duration.ofSeconds(1);
  private static final Duration BRING_TO_STOCK_EVERY = Duration.ofSeconds(1);
  private static final Duration RELEASE_SLOTS_EVERY = Duration.ofSeconds(1);

  /** How late others hear of something, beside the broker's time. */
  private static final Duration EVENTS_EVERY = Duration.ofMillis(250);

  /** Nobody waits for it: whoever reads a user coupon applies the time. */
  private static final Duration EXPIRY_EVERY = Duration.ofSeconds(10);

  /** How late a waiting caller may hear of a row that another instance recorded. */
  private static final Duration AWAITED_ROWS_EVERY = Duration.ofMillis(50);

  /** Comparing takes at most this share of one thread, and of what the servers do for one. */
  private static final int PAUSES_PER_COMPARISON = 9;

  private static final Duration COMPARISON_PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final StockKeeper keeper;
  private final RelayAcceptedClaims relay;
  private final RecordAcceptedClaims recorder;
  private final SettleLateClaims settleLateClaims;
  private final ReplayDeadLetters replayDeadLetters;
  private final BringToStock bringToStock;
  private final ReleaseSlots releaseSlots;
  private final ReconcileCoupons reconcileCoupons;
  private final ExpireUserCoupons expireUserCoupons;
  private final RelayEvents relayEvents;
  private final RowArrivals arrivals;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;
  private List<Loop> loops = List.of();

  BackgroundWork(
      StockKeeper keeper,
      RelayAcceptedClaims relay,
      RecordAcceptedClaims recorder,
      SettleLateClaims settleLateClaims,
      ReplayDeadLetters replayDeadLetters,
      BringToStock bringToStock,
      ReleaseSlots releaseSlots,
      ReconcileCoupons reconcileCoupons,
      ExpireUserCoupons expireUserCoupons,
      RelayEvents relayEvents,
      RowArrivals arrivals,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.keeper = keeper;
    this.relay = relay;
    this.recorder = recorder;
    this.settleLateClaims = settleLateClaims;
    this.replayDeadLetters = replayDeadLetters;
    this.bringToStock = bringToStock;
    this.releaseSlots = releaseSlots;
    this.reconcileCoupons = reconcileCoupons;
    this.expireUserCoupons = expireUserCoupons;
    this.relayEvents = relayEvents;
    this.arrivals = arrivals;
    this.limits = limits;
    this.observer = observer;
  }

  @Override
  public void start() {
    var all = new ArrayList<Loop>();
    for (var partition : keeper.partitions()) {
      all.add(loop("keeping partition " + partition, () -> keep(partition)));
      all.add(loop("settling late claims of " + partition, () -> settle(partition)));
    }
    all.add(loop("relay", this::relayNew));
    all.add(loop("sweep", this::sweep));
    all.add(loop("replaying dead letters", this::replay));
    all.add(loop("bringing to stock", this::catchUp));
    all.add(loop("releasing slots", this::releaseSlots));
    all.add(loop("reconciling", this::reconcile));
    all.add(loop("recording expiry", this::expire));
    all.add(loop("publishing events", this::relayEvents));
    all.add(loop("awaited rows", this::lookForAwaitedRows));
    all.forEach(Loop::start);
    loops = List.copyOf(all);
  }

  private Loop loop(String name, Loop.Round round) {
    return new Loop(name, round, PAUSE_AFTER_FAILURE, observer);
  }

  private Duration keep(Partition partition) throws InterruptedException {
    keeper.keep(partition);
    keeper.awaitNextLook(LOOK_EVERY);
    return Duration.ZERO;
  }

  private Duration settle(Partition partition) {
    return settleLateClaims.settle(partition) > 0 ? Duration.ZERO : LATE_CLAIMS_EVERY;
  }

  /** Waits at the log by itself. */
  private Duration relayNew() {
    relay.relayNew();
    return Duration.ZERO;
  }

  /** While nothing can be recorded, publishing again would only fill the queue. */
  private Duration sweep() {
    return !recorder.isPaused() && relay.relayStale() > 0 ? Duration.ZERO : SWEEP_EVERY;
  }

  private Duration replay() {
    return replayDeadLetters.replayDue() ? Duration.ZERO : DEAD_LETTERS_EVERY;
  }

  private Duration catchUp() {
    bringToStock.catchUp();
    return BRING_TO_STOCK_EVERY;
  }

  private Duration releaseSlots() {
    releaseSlots.catchUp();
    return RELEASE_SLOTS_EVERY;
  }

  private Duration reconcile() {
    long begin = System.nanoTime();
    reconcileCoupons.reconcileNext();
    var pause = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(PAUSES_PER_COMPARISON);
    return pause.compareTo(COMPARISON_PAUSE_MIN) > 0 ? pause : COMPARISON_PAUSE_MIN;
  }

  private Duration expire() {
    boolean full = expireUserCoupons.expireOverdue() == limits.expiryBatch();
    return full ? Duration.ZERO : EXPIRY_EVERY;
  }

  private Duration relayEvents() {
    return relayEvents.relayNext() > 0 ? Duration.ZERO : EVENTS_EVERY;
  }

  private Duration lookForAwaitedRows() {
    arrivals.lookForAwaitedRows();
    return AWAITED_ROWS_EVERY;
  }

  @Override
  public void stop() {
    loops.forEach(Loop::stop);
    try {
      long end = System.nanoTime() + STOP_WITHIN.toNanos();
      for (var loop : loops) {
        loop.awaitEnd(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loops = List.of();
  }

  @Override
  public boolean isRunning() {
    return !loops.isEmpty();
  }

  /** Before the web server starts and after it has stopped. */
  @Override
  public int getPhase() {
    return 0;
  }
}
