package io.firstcome.application;

import io.firstcome.application.SimulatedNetwork.Caller;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/** One instance of the service, from its start to its crash: the use cases over the network. */
final class SimulatedInstance {

  private static final int DELIVERED_TOGETHER = 3;
  private static final String KEEP = "keep ";

  private final Schedule schedule;
  private final SimulatedServers servers;
  private final Caller caller;

  private final StockKeeper keeper;
  private final HealMissingStock healMissingStock;
  private final SimulatedRequests requests;
  private final RecordAcceptedClaims recorder;
  private final SimulatedPorts.Acknowledgements acknowledgements;

  /** Claim calls that are about to leave; first in, first out. */
  private final Queue<Runnable> senders = new ArrayDeque<>();

  private final List<Round> rounds = new ArrayList<>();
  private final Set<Round> running = new HashSet<>();

  /** Background work that goes on again and again, on one thread of its own. */
  record Round(String name, Schedule.Work work) {}

  SimulatedInstance(
      Caller caller,
      SimulationSetting setting,
      SimulatedNetwork network,
      SimulatedServers servers) {
    this.caller = caller;
    this.servers = servers;
    schedule = setting.schedule();
    var ports = SimulatedPorts.of(network, servers, caller);
    var fencedCoupons = new FencedCoupons();
    CouponStock stock = new FenceReportingStock(ports.stock(), fencedCoupons);
    var clock = caller.clocks();
    var recovery = ports.recovery();
    var log = ports.log();
    var coupons = ports.coupons();
    var userCoupons = ports.userCoupons();
    var lateClaims = ports.lateClaims();
    var partitions = setting.partitions();
    var limits = SimulationSetting.LIMITS;
    acknowledgements = ports.acknowledgements();

    var observer = new SimulatedObserver(caller.name(), schedule, setting.record());
    var codeKeys = CouponFixtures.codeKeys();
    var epochs = new KnownEpochs();
    var catalog = new CouponCatalog(coupons, clock);
    var arrivals = new RowArrivals(userCoupons, limits);
    var rebuildCoupon =
        new RebuildCoupon(recovery, stock, userCoupons, lateClaims, clock, Runnable::run, limits);
    var recoverStock =
        new RecoverStock(
            ports.epochs(),
            epochs,
            coupons,
            lateClaims,
            recovery,
            log,
            ports.queue(),
            rebuildCoupon,
            limits,
            observer);
    keeper = new StockKeeper(recoverStock, partitions);
    var groupCommit = new GroupCommit(_ -> stock, epochs, limits, senders::add, observer);
    var findClaim = new FindClaim(catalog, epochs, userCoupons, lateClaims, stock, codeKeys, clock);
    var claimCoupon =
        new ClaimCoupon(
            catalog,
            groupCommit,
            codeKeys,
            userCoupons,
            findClaim,
            arrivals,
            keeper,
            clock,
            observer);
    var relay = new RelayAcceptedClaims(log, ports.publisher(), limits, observer);
    var keepDeadLetters = new KeepDeadLetters(ports.deadLetters(), clock, limits, observer);
    var lockedCoupons = new LockedCoupons(coupons);
    recorder =
        new RecordAcceptedClaims(
            catalog,
            codeKeys,
            userCoupons,
            log,
            lateClaims,
            lockedCoupons,
            keepDeadLetters,
            arrivals,
            keeper,
            limits,
            observer);
    var settleLateClaims =
        new SettleLateClaims(
            catalog,
            epochs,
            codeKeys,
            stock,
            userCoupons,
            lateClaims,
            lockedCoupons,
            keepDeadLetters,
            arrivals,
            keeper,
            clock,
            limits,
            observer);
    var slotReturns = ports.slotReturns();
    var releaseSlots = new ReleaseSlots(catalog, slotReturns, stock, epochs, limits, observer);
    var bringToStock = new BringToStock(coupons, stock, epochs, clock, observer);
    var proveExactness =
        new ProveExactness(coupons, stock, log, userCoupons, lateClaims, epochs, clock, limits);
    var changeCoupon = new ChangeCoupon(coupons, bringToStock, clock);
    var archiveCoupon =
        new ArchiveCoupon(
            coupons,
            catalog,
            new LookWhatIsOpen(
                coupons,
                bringToStock,
                epochs,
                ports.epochs(),
                proveExactness,
                lateClaims,
                slotReturns),
            bringToStock,
            clock);
    requests =
        new SimulatedRequests(
            schedule,
            catalog,
            groupCommit,
            claimCoupon,
            findClaim,
            new GiveBackUserCoupon(catalog, userCoupons, releaseSlots, clock),
            new RevokeUserCoupon(catalog, userCoupons, releaseSlots, clock),
            changeCoupon,
            archiveCoupon);
    var reconcileCoupons =
        new ReconcileCoupons(
            coupons, proveExactness, bringToStock, epochs, keeper, observer, Pace.WITHOUT_REST);
    healMissingStock =
        new HealMissingStock(
            fencedCoupons, coupons, bringToStock, recovery, epochs, keeper, observer);

    var expireUserCoupons =
        new ExpireUserCoupons(
            userCoupons, new CompareClocks(clock, clock::machine, List.of(), observer), limits);

    for (var partition : partitions) {
      add(KEEP + partition, () -> keep(partition));
      add("settle " + partition, () -> settleLateClaims.settle(partition));
    }
    add("relay", relay::relayNew);
    add("sweep", () -> sweep(relay));
    add("record", this::record);
    add("record too", this::record);
    add("bring to stock", bringToStock::catchUp);
    if (setting.archiving()) {
      var clearArchived = new ClearArchivedCoupons(coupons, recovery, epochs, partitions, observer);
      add("clear archived", clearArchived::clearNext);
    }
    if (setting.returning()) {
      add("release", releaseSlots::catchUp);
    }
    if (setting.telling()) {
      var relayEvents = new RelayEvents(ports.outbox(), ports.listeners(), limits, observer);
      add("publish events", relayEvents::relayNext);
    }
    if (setting.weather().hasJumps() || setting.jumping()) {
      add("expire", expireUserCoupons::expireOverdue);
    }
    add("reconcile", reconcileCoupons::reconcileNext);
  }

  private void add(String name, Schedule.Work work) {
    rounds.add(new Round(name, work));
  }

  boolean isDead() {
    return caller.lifetime().isOver();
  }

  Caller caller() {
    return caller;
  }

  Schedule.Lifetime lifetime() {
    return caller.lifetime();
  }

  /** Reads the clocks of the servers from time to time. */
  void lookAtClocks() {
    if (!lifetime().isFrozen()) {
      caller.clocks().look();
    }
  }

  List<Round> rounds() {
    return rounds;
  }

  /** Keeping the partitions open, which is never far: who meets a closed fence asks for it. */
  List<Round> keeping() {
    return rounds.stream().filter(round -> round.name().startsWith(KEEP)).toList();
  }

  /** Begins a round, unless the one before is still under way or the instance is frozen. */
  void begin(Round round) {
    if (!lifetime().isFrozen() && running.add(round)) {
      schedule.begin(
          lifetime(),
          () -> {
            schedule.note(caller.name(), "begins", round.name());
            try {
              round.work().run();
            } catch (ServerUnavailableException e) {
              schedule.note(
                  caller.name(), "gives up " + round.name(), String.valueOf(e.getMessage()));
            } finally {
              running.remove(round);
            }
          });
    }
  }

  /** Lets the next claim call leave. */
  void sendNext() {
    var sender = lifetime().isFrozen() ? null : senders.poll();
    if (sender != null) {
      sender.run();
    }
  }

  SimulatedRequests requests() {
    return requests;
  }

  /** Looks at the fence; an operator who restored the database says so at the next look. */
  private void keep(Partition partition) throws InterruptedException {
    int setBacks = servers.databaseSetBacks();
    if (!servers.waitingForOperator().contains(partition)) {
      keeper.keep(partition);
      healMissingStock.look(partition);
    } else if (schedule.chance(0.5)) {
      keeper.keep(partition);
    } else if (keeper.recover(partition, true) instanceof Recovery.Open) {
      servers.recoveredByOperator(partition, setBacks);
    }
  }

  private void sweep(RelayAcceptedClaims relay) {
    if (!recorder.isPaused()) {
      relay.relayStale();
    }
  }

  private void record() throws InterruptedException {
    var deliveries = servers.deliveries.deliver(lifetime(), DELIVERED_TOGETHER);
    try {
      if (!deliveries.isEmpty()) {
        recorder.record(deliveries.stream().map(InMemoryBroker.Delivery::entry).toList());
        acknowledgements.acknowledge(deliveries);
      }
    } finally {
      servers.deliveries.end(lifetime(), deliveries);
    }
  }
}
