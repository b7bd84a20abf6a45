package io.firstcome.application.simulation;

import io.firstcome.application.InstanceSettings;
import io.firstcome.application.UseCases;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.reconciliation.Pace;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.recording.RelayAcceptedClaims;
import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.application.recovery.Recovery;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.ServerUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * One instance of the service, from its start to its crash: the use cases over the simulated
 * network.
 */
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

  /** Claim calls that are to be sent; first in, first out. */
  private final Queue<Runnable> senders = new ArrayDeque<>();

  private final List<Round> rounds = new ArrayList<>();
  private final Set<Round> running = new HashSet<>();

  /** Periodic background work on its own thread. */
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
    var clock = caller.clocks();
    var observer = new SimulatedObserver(caller.name(), schedule, setting.record());
    var settings =
        new InstanceSettings(
            CouponFixtures.codeKeys(),
            StockBackends.allWithUsual(StockBackend.REDIS),
            setting.partitions().size(),
            true,
            clock,
            processClock(setting),
            senders::add,
            Runnable::run,
            work -> schedule.begin(caller.lifetime(), work::run),
            Runnable::run,
            InMemoryMaps::ofDoneFutures,
            Pace.WITHOUT_REST,
            SimulationSetting.LIMITS,
            observer);
    var useCases =
        UseCases.withHandoff(
            settings,
            ports.database(),
            ports.handoff(),
            ports.stock(),
            ports.stock(),
            new CompareClocks(clock, clock::machine, List.of(), observer));
    var handoff = useCases.handoff();
    acknowledgements = ports.acknowledgements();
    keeper = useCases.keeper;
    recorder = handoff.recordAcceptedClaims;
    healMissingStock = handoff.healMissingStock;
    requests = new SimulatedRequests(schedule, useCases, servers.stock);

    var partitions = setting.partitions();
    var relay = handoff.relayAcceptedClaims;
    for (var partition : partitions) {
      add(KEEP + partition, () -> keep(partition));
      add("settle " + partition, () -> handoff.settleLateClaims.settle(partition));
    }
    add("relay", relay::relayNew);
    add("sweep", () -> sweep(relay));
    add("record", this::record);
    add("record too", this::record);
    add("stock sync", useCases.stockSync::catchUp);
    if (setting.archiving()) {
      add("clear archived", handoff.clearArchivedCoupons::clearNext);
    }
    if (setting.returning()) {
      add("release", useCases.releaseSlots::catchUp);
    }
    if (setting.telling()) {
      add("publish events", handoff.relayEvents::relayNext);
    }
    if (setting.faultProfile().hasJumps() || setting.jumping()) {
      add("expire", useCases.expireUserCoupons::expireOverdue);
    }
    if (setting.erasing()) {
      add("erase users", useCases.eraseUsers::eraseNext);
    }
    add("reconcile", useCases.reconcileCoupons::reconcileNext);
    add("end leases", useCases.endLeases::endDue);
  }

  /** Whoever sleeps lets the time pass for all. */
  private ProcessClock processClock(SimulationSetting setting) {
    var clocks = caller.clocks();
    return new ProcessClock() {
      @Override
      public long nanos() {
        return clocks.nanos();
      }

      @Override
      public Instant wall() {
        return clocks.machine();
      }

      @Override
      public void sleep(Duration time) {
        setting.time().advance(time);
        schedule.pause();
      }
    };
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
  void readClocks() {
    if (!lifetime().isFrozen()) {
      caller.clocks().look();
    }
  }

  List<Round> rounds() {
    return rounds;
  }

  /**
   * The rounds that keep the partitions open. They run often, because each fenced claim requests
   * them.
   */
  List<Round> keeping() {
    return rounds.stream().filter(round -> round.name().startsWith(KEEP)).toList();
  }

  /** Begins a round, unless the previous one is still running or the instance is frozen. */
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

  /** Sends the next claim call. */
  void sendNext() {
    var sender = lifetime().isFrozen() ? null : senders.poll();
    if (sender != null) {
      sender.run();
    }
  }

  SimulatedRequests requests() {
    return requests;
  }

  /** Checks the fence. If the database was restored, an operator starts a recovery that says so. */
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
