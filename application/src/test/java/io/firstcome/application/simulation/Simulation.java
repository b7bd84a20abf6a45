package io.firstcome.application.simulation;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One history of two instances of the service, their customers and their servers, made from a seed:
 * a phase with faults, a phase without faults in which everything must heal, and the check of the
 * invariants.
 */
final class Simulation {

  private static final int MAX_ROUNDS = 60;
  private static final int MAX_MOVES_A_ROUND = 20_000;
  private static final double DATABASE_CLOCK_JUMPS = 0.01;

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final FaultProfile faultProfile;
  private final SimulatedNetwork network;
  private final SimulatedServers servers;
  private final ServersAtRest rest;
  private final List<SimulatedInstance> instances = new ArrayList<>();
  private final SimulatedCustomers customers;
  private final SimulatedOperators operators;
  private final SimulationInvariants invariants;
  private final String neglected;
  private int archivedDuringFaults;
  private int starts;

  Simulation(long seed) {
    setting = SimulationSetting.of(seed);
    schedule = setting.schedule();
    faultProfile = setting.faultProfile();
    var time = setting.time();
    var stockClock = new SimulatedServerClock("stock", schedule, time);
    var databaseClock = new SimulatedServerClock("database", schedule, time);
    var scripts = new SimulatedScripts();
    var freezes = new SimulatedFreezes(schedule, faultProfile, time);
    var late = new SimulatedLateCalls(schedule, time);
    var witness = new ClaimWitness(setting, stockClock, this::isDeposed);
    var claimCalls = new SimulatedClaimCalls(setting, stockClock, scripts, late, witness);
    network =
        new SimulatedNetwork(
            schedule,
            faultProfile,
            freezes,
            new SimulatedCouponLock(setting),
            scripts,
            claimCalls,
            late);
    servers = new SimulatedServers(setting, network, stockClock, databaseClock);
    rest = new ServersAtRest(servers, setting.partitions(), setting.coupons());
    customers = new SimulatedCustomers(setting, instances);
    operators = new SimulatedOperators(setting, servers, instances);
    neglected = schedule.oneOf(List.of("record", "record", "relay", "keep", "settle", "nothing"));
    invariants = new SimulationInvariants(setting, servers, freezes);
    start(0);
    start(1);
  }

  /**
   * Runs the history and checks the invariants.
   *
   * @throws AssertionError if an invariant is violated, or work does not end
   */
  void run() throws InterruptedException {
    var failure = new AtomicReference<@Nullable Throwable>();
    // Tasks are virtual threads too, and switching between virtual threads is much faster.
    var thread =
        Thread.ofVirtual().uncaughtExceptionHandler((of, e) -> failure.set(e)).start(this::play);
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get().getMessage(), failure.get());
    }
  }

  private void play() {
    faultProfile.endFaults();
    finishWork();
    if (setting.returning()) {
      claim(customers.owners().stream().filter(owner -> schedule.chance(0.7)).toList());
    }
    faultProfile.begin();
    schedule.mixThoroughly();
    int steps = 200 + schedule.below(800);
    for (int i = 0; i < steps; i++) {
      step();
      invariants.holdAtEveryMoment();
    }
    schedule.note("---", "no faults from here on", "");
    faultProfile.endFaults();
    schedule.mixLittle();
    servers.reconnect();
    finishWorkWithoutFrozen();
    finishWork();
    invariants.holdAtRest();
    if (setting.erasing() && !faultProfile.hasJumps() && !setting.jumping()) {
      invariants.holdAfterErasures(operators.erased());
    }
    waitUntilAllAreOpen();
    if (setting.losing()) {
      loseAPause();
    }
    claimFreeSlots();
    invariants.holdWhenEverybodyHasClaimed();
    if (setting.telling()) {
      servers.listeners.requireWholeStories(
          servers.database, setting.record().isDatabaseSetBackSince(0));
    }
    if (setting.archiving()) {
      archivedDuringFaults = operators.archived();
      archiveAll();
      invariants.holdAtRest();
      claim(customers.owners());
      invariants.holdAtRest();
    }
  }

  /** The locks and messages of a frozen instance must not block the work of the others. */
  private void finishWorkWithoutFrozen() {
    var freezes = network.freezes();
    if (freezes.isAnyFrozen()) {
      schedule.struck(SimulatedFault.FROZEN_TO_THE_END, "");
      freezes.stay();
      finishWork();
      freezes.wake();
    }
  }

  private void waitUntilAllAreOpen() {
    var now = setting.time().instant();
    var open =
        setting.coupons().stream()
            .map(coupon -> coupon.definition().window().opensAt())
            .max(Instant::compareTo)
            .orElseThrow();
    if (open.isAfter(now)) {
      setting.time().advance(Duration.between(now, open));
      finishWork();
    }
  }

  /**
   * Loses a pause while no work is pending: neither a recovery nor another change restores the
   * terms, so the reconciler must.
   */
  private void loseAPause() {
    var past = servers.database.backUp();
    operators.pauseAll();
    finishWork();
    servers.loseChanges(past);
    finishWork();
    invariants.holdAtRest();
  }

  private void archiveAll() {
    for (int round = 0; round < MAX_ROUNDS && !operators.haveArchivedAll(); round++) {
      operators.closeAndArchiveAll();
      finishWork();
    }
    if (!operators.haveArchivedAll()) {
      throw new AssertionError("coupons without pending work cannot be archived");
    }
  }

  private void claim(List<AnswerRecord.Owner> owners) {
    customers.claim(owners, MAX_ROUNDS, this::finishWork);
  }

  /** When all work is done, no free slot is withheld, even if an instance has died before. */
  private void claimFreeSlots() {
    int before = timesWithheld();
    claim(customers.owners());
    if (timesWithheld() != before) {
      throw new AssertionError("a slot stays withheld");
    }
  }

  private int timesWithheld() {
    return faults().getOrDefault(SimulatedFault.SLOT_WITHHELD, 0);
  }

  int archivedDuringFaults() {
    return archivedDuringFaults;
  }

  Map<SimulatedFault, Integer> faults() {
    return schedule.faults();
  }

  /** How many slots were returned to the stock, whether issued again or not. */
  int slotsReturned() {
    return (int) servers.slotOwners().filter(owner -> !owner.live()).count();
  }

  /** How many claims were refused because of the limit of a campaign. */
  int claimsAtTheLimit() {
    return (int)
        setting.record().requests().stream()
            .filter(request ->
                request.answer instanceof ClaimAnswer.Refused refused
                    && refused.refusal() instanceof ClaimOutcome.CampaignLimit)
            .count();
  }

  int usersErased() {
    return operators.erased().size();
  }

  int eventsPublished() {
    return servers.listeners.count();
  }

  int slotsIssuedAgain() {
    return (int) servers.slotOwners().filter(owner -> owner.generation() > 1).count();
  }

  List<String> history() {
    return schedule.history();
  }

  String endOfHistory() {
    return schedule.endOfHistory();
  }

  private boolean isDeposed(StockAddress coupon) {
    return servers.isDeposed(coupon);
  }

  private void step() {
    nextStep(
        Duration.ofMillis(schedule.below(schedule.chance(faultProfile.longStep()) ? 5_000 : 50)));
    servers.timePasses();
    if (setting.jumping() && schedule.chance(DATABASE_CLOCK_JUMPS)) {
      servers.strike(SimulatedFault.DATABASE_CLOCK_JUMPS);
    }
    if (network.freezes().isAnyFrozen() && schedule.chance(0.3)) {
      beginRecording();
      beginKeeping();
    }
    for (var fault : faultProfile.pendingFaults()) {
      if (fault == SimulatedFault.MESSAGES_REDELIVERED) {
        beginRecording();
      }
      if (servers.strike(fault)) {
        faultProfile.hasStruck(fault);
        if (fault == SimulatedFault.LEASE_LOST || fault == SimulatedFault.DATABASE_SET_BACK) {
          beginKeeping();
        }
      }
    }
    operators.act();
    move(schedule.below(100));
    restartDead();
  }

  private void nextStep(Duration later) {
    schedule.nextStep();
    setting.time().advance(later);
    servers.timePassesForTheFrozen();
    instances.forEach(SimulatedInstance::readClocks);
  }

  private void beginRecording() {
    var instance = schedule.oneOf(instances);
    instance.rounds().stream()
        .filter(round -> round.name().startsWith("record"))
        .forEach(instance::begin);
  }

  private void beginKeeping() {
    instances.forEach(instance -> instance.keeping().forEach(instance::begin));
  }

  private void move(int dice) {
    var instance = schedule.oneOf(instances);
    if (dice < 48) {
      schedule.runOne();
    } else if (dice < 64) {
      network.moveAClaimCall();
    } else if (dice < 66) {
      network.moveALateCall();
    } else if (dice < 76) {
      instance.sendNext();
    } else if (dice < 87) {
      customers.oneAsks(instance);
    } else {
      beginARound(instance);
    }
  }

  /**
   * Begins a round: often one that keeps a partition open, and seldom the neglected one, so that
   * its work accumulates.
   */
  private void beginARound(SimulatedInstance instance) {
    var round = schedule.oneOf(schedule.chance(0.3) ? instance.keeping() : instance.rounds());
    if (!round.name().startsWith(neglected) || schedule.chance(0.1)) {
      instance.begin(round);
    }
  }

  /** Restarts instances that have died, without their tasks, calls and leases. */
  private void restartDead() {
    for (int i = 0; i < instances.size(); i++) {
      var instance = instances.get(i);
      if (instance.isDead()) {
        schedule.buryTheDead();
        network.hasDied(instance.caller());
        servers.leases.endThoseOfTheDead();
        start(i);
      }
    }
  }

  private void start(int place) {
    var skew = Duration.ofHours(schedule.below(3) - 1);
    var clocks =
        new SimulatedClocks(
            setting.time(),
            skew,
            servers.stockClock,
            servers.databaseClock,
            servers::isDatabaseAway);
    var caller = new Caller("instance-" + ++starts, new Schedule.Lifetime(), clocks);
    var instance = new SimulatedInstance(caller, setting, network, servers);
    if (place < instances.size()) {
      instances.set(place, instance);
    } else {
      instances.add(instance);
    }
  }

  private void finishWork() {
    for (int round = 0; round < MAX_ROUNDS; round++) {
      finishAll();
      if (round > 0
          && rest.areAtRest()
          && !(setting.telling() && servers.database.hasEvents())
          && !(setting.archiving() && rest.haveToClear())) {
        return;
      }
      nextStep(Duration.ofSeconds(20));
      for (var instance : instances) {
        instance.rounds().forEach(instance::begin);
      }
    }
    throw new AssertionError("work is still pending after the last round");
  }

  /** Runs all tasks and calls that have begun to their end. */
  private void finishAll() {
    int moves = 0;
    while (schedule.hasTasks() || network.canMove()) {
      if (++moves > MAX_MOVES_A_ROUND) {
        throw new AssertionError("a task or a call does not end");
      }
      nextStep(Duration.ZERO);
      schedule.runOne();
      restartDead();
      instances.forEach(SimulatedInstance::sendNext);
      network.moveAClaimCall();
      network.moveALateCall();
    }
  }
}
