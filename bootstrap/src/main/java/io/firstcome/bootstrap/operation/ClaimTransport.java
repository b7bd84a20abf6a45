package io.firstcome.bootstrap.operation;

import io.firstcome.application.archive.ClearArchivedCoupons;
import io.firstcome.application.event.RelayEvents;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.recording.RelayAcceptedClaims;
import io.firstcome.application.recording.ReplayDeadLetters;
import io.firstcome.application.recording.RowArrivals;
import io.firstcome.application.recording.SettleLateClaims;
import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.waitingroom.AdvanceRooms;
import io.firstcome.application.waitingroom.ClaimTurns;
import io.firstcome.application.waitingroom.KeepRooms;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ClaimDeliveries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The background loops between Redis, the broker and the database: they keep partitions open, clear
 * archived coupons, relay accepted claims, check that they are delivered, settle late claims,
 * replay dead letters, publish events, advance waiting rooms and claim for their users.
 */
@Component
@WithRedis
class ClaimTransport extends WorkInLoops {

  /** How often the fences are checked while no call meets a closed one. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Bounds how often a fence is checked, however many claims meet a closed one. */
  private static final Duration NEXT_LOOK_AFTER = Duration.ofMillis(25);

  /**
   * Claims that are accepted within this time are published together. The first claim after an idle
   * time is published at once.
   */
  private static final Duration RELAY_EVERY = Duration.ofMillis(25);

  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

  /** Far longer than the broker takes to deliver a message. */
  private static final Duration DELIVERIES_EVERY = Duration.ofSeconds(5);

  private static final Duration LATE_CLAIMS_EVERY = Duration.ofMillis(500);
  private static final Duration DEAD_LETTERS_EVERY = Duration.ofSeconds(1);

  private static final Duration ARCHIVED_EVERY = Duration.ofSeconds(1);

  /** A page blocks Redis for a millisecond or two, so claims are hardly delayed. */
  private static final Duration NEXT_ARCHIVED_AFTER = Duration.ofMillis(100);

  /** How often new events are looked for: their delay, without that of the broker. */
  private static final Duration EVENTS_EVERY = Duration.ofMillis(250);

  /** If one queue rejects an event, each retry publishes it again to all other bound queues. */
  private static final Duration EVENTS_AGAIN_AFTER = Duration.ofSeconds(5);

  /** How often rows that callers wait for and other instances record are looked for. */
  private static final Duration AWAITED_ROWS_EVERY = Duration.ofMillis(50);

  /** How often leases are looked at that keep free slots from being claimed. */
  private static final Duration LEASES_EVERY = Duration.ofMillis(50);

  /** How often the coupons with waiting rooms are looked for. */
  private static final Duration ROOMS_LISTED_EVERY = Duration.ofSeconds(2);

  /** How often the number of a waiting room is read, and so advanced. */
  private static final Duration ROOMS_EVERY = Duration.ofMillis(500);

  /** How often a new reading is looked for, according to which a room claims for its users. */
  private static final Duration TURNS_EVERY = Duration.ofMillis(100);

  private final StockKeeper keeper;
  private final ClearArchivedCoupons clearArchivedCoupons;
  private final HealMissingStock healMissingStock;
  private final RelayAcceptedClaims relay;
  private final ClaimDeliveries deliveries;
  private final RecordAcceptedClaims recorder;
  private final SettleLateClaims settleLateClaims;
  private final ReplayDeadLetters replayDeadLetters;
  private final RelayEvents relayEvents;
  private final RowArrivals arrivals;
  private final EndLeases endLeases;
  private final AdvanceRooms advanceRooms;
  private final ClaimTurns claimTurns;
  private final KeepRooms keepRooms;

  ClaimTransport(
      StockKeeper keeper,
      ClearArchivedCoupons clearArchivedCoupons,
      HealMissingStock healMissingStock,
      RelayAcceptedClaims relay,
      ClaimDeliveries deliveries,
      RecordAcceptedClaims recorder,
      SettleLateClaims settleLateClaims,
      ReplayDeadLetters replayDeadLetters,
      RelayEvents relayEvents,
      RowArrivals arrivals,
      EndLeases endLeases,
      AdvanceRooms advanceRooms,
      ClaimTurns claimTurns,
      KeepRooms keepRooms,
      IssuanceObserver observer) {
    super(observer);
    this.keeper = keeper;
    this.clearArchivedCoupons = clearArchivedCoupons;
    this.healMissingStock = healMissingStock;
    this.relay = relay;
    this.deliveries = deliveries;
    this.recorder = recorder;
    this.settleLateClaims = settleLateClaims;
    this.replayDeadLetters = replayDeadLetters;
    this.relayEvents = relayEvents;
    this.arrivals = arrivals;
    this.endLeases = endLeases;
    this.advanceRooms = advanceRooms;
    this.claimTurns = claimTurns;
    this.keepRooms = keepRooms;
  }

  @Override
  protected List<Loop> loops() {
    var all = new ArrayList<Loop>();
    for (var partition : keeper.partitions()) {
      all.add(loop("keeping partition " + partition, () -> keep(partition)));
      all.add(loop("settling late claims of " + partition, () -> settle(partition)));
      all.add(loop("reading waiting rooms of " + partition, () -> advanceRooms(partition)));
      all.add(loop("claiming for waiting rooms of " + partition, () -> claimTurns(partition)));
      all.add(loop("keeping waiting rooms of " + partition, () -> keepRooms(partition)));
    }
    all.add(loop("checking the fences", this::checkFences));
    all.add(loop("clearing archived coupons", this::clearArchived));
    all.add(loop("relay", this::relayNew));
    all.add(loop("sweep", this::sweep));
    all.add(loop("checking deliveries", this::checkDeliveries, DELIVERIES_EVERY));
    all.add(loop("replaying dead letters", this::replay));
    all.add(loop("publishing events", this::relayEvents, EVENTS_AGAIN_AFTER));
    all.add(loop("finding awaited rows", this::findAwaitedRows));
    all.add(loop("ending leases", this::endLeases));
    all.add(loop("listing waiting rooms", this::listRooms));
    return all;
  }

  private Duration keep(Partition partition) throws InterruptedException {
    keeper.keep(partition);
    healMissingStock.look(partition);
    keeper.awaitNextCheck(LOOK_EVERY);
    return NEXT_LOOK_AFTER;
  }

  private Duration checkFences() {
    keeper.checkFences();
    return LOOK_EVERY;
  }

  private Duration clearArchived() {
    return clearArchivedCoupons.clearNext() ? NEXT_ARCHIVED_AFTER : ARCHIVED_EVERY;
  }

  private Duration settle(Partition partition) {
    return settleLateClaims.settle(partition) > 0 ? Duration.ZERO : LATE_CLAIMS_EVERY;
  }

  /** Reading the log waits for entries, so no pause is needed if there are none. */
  private Duration relayNew() {
    return relay.relayNew() > 0 ? RELAY_EVERY : Duration.ZERO;
  }

  /** While nothing can be recorded, publishing again would only fill the queue. */
  private Duration sweep() {
    return !recorder.isPaused() && relay.relayStale() > 0 ? Duration.ZERO : SWEEP_EVERY;
  }

  private Duration checkDeliveries() {
    deliveries.resumeIfStalled();
    return DELIVERIES_EVERY;
  }

  private Duration replay() {
    return replayDeadLetters.replayDue() ? Duration.ZERO : DEAD_LETTERS_EVERY;
  }

  private Duration relayEvents() {
    return relayEvents.relayNext() > 0 ? Duration.ZERO : EVENTS_EVERY;
  }

  private Duration endLeases() {
    endLeases.endDue();
    return LEASES_EVERY;
  }

  private Duration listRooms() {
    keepRooms.list();
    return ROOMS_LISTED_EVERY;
  }

  private Duration advanceRooms(Partition partition) {
    advanceRooms.round(partition);
    return ROOMS_EVERY;
  }

  private Duration claimTurns(Partition partition) {
    claimTurns.round(partition);
    return TURNS_EVERY;
  }

  private Duration keepRooms(Partition partition) {
    keepRooms.round(partition);
    return ROOMS_EVERY;
  }

  private Duration findAwaitedRows() {
    arrivals.findAwaitedRows();
    return AWAITED_ROWS_EVERY;
  }
}
