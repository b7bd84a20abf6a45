package io.firstcome.application;

import io.firstcome.application.SimulatedNetwork.Caller;
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
 * first a storm of faults, then a calm in which everything must heal, then the judgement.
 */
final class Simulation {

  private static final int MAX_ROUNDS_TO_REST = 60;
  private static final int MAX_MOVES_A_ROUND = 20_000;
  private static final double DATABASE_CLOCK_JUMPS = 0.01;

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final Weather weather;
  private final SimulatedNetwork network;
  private final SimulatedServers servers;
  private final ServersAtRest rest;
  private final List<SimulatedInstance> instances = new ArrayList<>();
  private final SimulatedCustomers customers;
  private final SimulatedOperators operators;
  private final SimulationInvariants invariants;
  private final String neglected;
  private int archivedInTheStorm;
  private int starts;

  Simulation(long seed) {
    setting = SimulationSetting.of(seed);
    schedule = setting.schedule();
    weather = setting.weather();
    var time = setting.time();
    var stockClock = new SimulatedServerClock("stock", schedule, time);
    var databaseClock = new SimulatedServerClock("database", schedule, time);
    var scripts = new SimulatedScripts();
    var freezes = new SimulatedFreezes(schedule, weather, time);
    var late = new SimulatedLateCalls(schedule, time);
    var witness = new ClaimWitness(setting, stockClock, this::isDeposed);
    var claimCalls = new SimulatedClaimCalls(setting, stockClock, scripts, late, witness);
    network =
        new SimulatedNetwork(
            schedule,
            weather,
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
   * Runs the history from its beginning to the judgement.
   *
   * @throws AssertionError if it does not end well
   */
  void run() throws InterruptedException {
    var failure = new AtomicReference<@Nullable Throwable>();
    // Tasks are virtual threads too, and turns go from one to the other much faster among them.
    var thread =
        Thread.ofVirtual().uncaughtExceptionHandler((of, e) -> failure.set(e)).start(this::tell);
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError(failure.get().getMessage(), failure.get());
    }
  }

  private void tell() {
    weather.clearUp();
    comeToRest();
    if (setting.returning()) {
      claim(customers.owners().stream().filter(owner -> schedule.chance(0.7)).toList());
    }
    weather.begin();
    schedule.mixThoroughly();
    int steps = 200 + schedule.below(800);
    for (int i = 0; i < steps; i++) {
      step();
      invariants.holdAtEveryMoment();
    }
    schedule.note("---", "from here on nothing goes wrong", "");
    weather.clearUp();
    schedule.mixLittle();
    servers.comeBack();
    comeToRestWithoutTheFrozen();
    comeToRest();
    invariants.holdAtRest();
    waitUntilAllAreOpen();
    if (setting.losing()) {
      loseAPause();
    }
    claim(customers.owners());
    invariants.holdWhenEverybodyHasClaimed();
    if (setting.telling()) {
      servers.listeners.requireWholeStories(
          servers.database, setting.record().isDatabaseSetBackSince(0));
    }
    if (setting.archiving()) {
      archivedInTheStorm = operators.archived();
      archiveAll();
      invariants.holdAtRest();
      claim(customers.owners());
      invariants.holdAtRest();
    }
  }

  /** What a frozen instance has in hand must not keep the others from coming to rest. */
  private void comeToRestWithoutTheFrozen() {
    var freezes = network.freezes();
    if (freezes.isAnyFrozen()) {
      schedule.struck(Fault.FROZEN_TO_THE_END, "");
      freezes.stay();
      comeToRest();
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
      comeToRest();
    }
  }

  /** At rest: no recovery and no other change brings the terms, so the comparison must. */
  private void loseAPause() {
    var past = servers.database.backUp();
    operators.pauseAll();
    comeToRest();
    servers.loseChanges(past);
    comeToRest();
    invariants.holdAtRest();
  }

  private void archiveAll() {
    for (int round = 0; round < MAX_ROUNDS_TO_REST && !operators.haveArchivedAll(); round++) {
      operators.closeAndArchiveAll();
      comeToRest();
    }
    if (!operators.haveArchivedAll()) {
      throw new AssertionError("what is at rest cannot be archived");
    }
  }

  private void claim(List<AnswerRecord.Owner> owners) {
    customers.claim(owners, MAX_ROUNDS_TO_REST, this::comeToRest);
  }

  int archivedInTheStorm() {
    return archivedInTheStorm;
  }

  Map<Fault, Integer> faults() {
    return schedule.faults();
  }

  /** How many slots went back to stock, whoever took them afterwards. */
  int slotsBack() {
    return (int) servers.slotOwners().filter(owner -> !owner.live()).count();
  }

  int eventsTold() {
    return servers.listeners.count();
  }

  int slotsTakenAgain() {
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
    nextStep(Duration.ofMillis(schedule.below(schedule.chance(weather.longStep()) ? 5_000 : 50)));
    servers.timePasses();
    if (setting.jumping() && schedule.chance(DATABASE_CLOCK_JUMPS)) {
      servers.strike(Fault.DATABASE_CLOCK_JUMPS);
    }
    if (network.freezes().isAnyFrozen() && schedule.chance(0.3)) {
      somebodyRecords();
      everybodyLooksAtTheFences();
    }
    for (var threat : weather.threats()) {
      if (threat == Fault.MESSAGES_REDELIVERED) {
        somebodyRecords();
      }
      if (servers.strike(threat)) {
        weather.hasStruck(threat);
        if (threat == Fault.RIGHT_LOST || threat == Fault.DATABASE_SET_BACK) {
          everybodyLooksAtTheFences();
        }
      }
    }
    operators.act();
    move(schedule.below(100));
    careForTheDead();
  }

  private void nextStep(Duration later) {
    schedule.nextStep();
    setting.time().advance(later);
    servers.timePassesForTheFrozen();
    instances.forEach(SimulatedInstance::lookAtClocks);
  }

  private void somebodyRecords() {
    var instance = schedule.oneOf(instances);
    instance.rounds().stream()
        .filter(round -> round.name().startsWith("record"))
        .forEach(instance::begin);
  }

  private void everybodyLooksAtTheFences() {
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

  /** Keeping partitions open comes often, and one kind of work seldom, so that it piles up. */
  private void beginARound(SimulatedInstance instance) {
    var round = schedule.oneOf(schedule.chance(0.3) ? instance.keeping() : instance.rounds());
    if (!round.name().startsWith(neglected) || schedule.chance(0.1)) {
      instance.begin(round);
    }
  }

  /** An instance that has died is started again at once; what it had in hand is gone. */
  private void careForTheDead() {
    for (int i = 0; i < instances.size(); i++) {
      var instance = instances.get(i);
      if (instance.isDead()) {
        schedule.buryTheDead();
        network.hasDied(instance.caller());
        servers.rights.endThoseOfTheDead();
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

  private void comeToRest() {
    for (int round = 0; round < MAX_ROUNDS_TO_REST; round++) {
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
    throw new AssertionError("it does not come to rest");
  }

  /** Lets everything that has begun come to its end. */
  private void finishAll() {
    int moves = 0;
    while (schedule.hasTasks() || network.canMove()) {
      if (++moves > MAX_MOVES_A_ROUND) {
        throw new AssertionError("something never ends");
      }
      nextStep(Duration.ZERO);
      schedule.runOne();
      careForTheDead();
      instances.forEach(SimulatedInstance::sendNext);
      network.moveAClaimCall();
      network.moveALateCall();
    }
  }
}
