package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Kind;
import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One history of two instances of the service, their customers and their servers, made from a seed:
 * first a storm of faults, then a calm in which everything must heal, then the judgement.
 */
final class Simulation {

  private static final int RETURNING_EVERY = 3;
  private static final int ARCHIVING_EVERY = 4;
  private static final int LOSING_EVERY = 8;
  private static final int TELLING_EVERY = 2;
  private static final int MAX_ROUNDS_TO_REST = 60;
  private static final int MAX_MOVES_A_ROUND = 20_000;

  /** Servers are small, clocks of instances are wrong, and nothing depends on real time. */
  static final ApplicationLimits LIMITS =
      new ApplicationLimits(
          30,
          Duration.ofHours(1),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          2,
          3,
          Duration.ZERO,
          Duration.ofSeconds(2),
          4,
          4,
          3,
          1_000,
          Duration.ZERO,
          Duration.ZERO,
          3,
          2,
          Duration.ofDays(1_000),
          100,
          1,
          Duration.ofSeconds(10),
          12,
          20,
          Duration.ofMinutes(1),
          3,
          3,
          3,
          1,
          Duration.ZERO);

  private final Schedule schedule;
  private final Weather weather;
  private final SettableClock clock = new SettableClock();
  private final AnswerRecord record;
  private final SimulatedNetwork network;
  private final SimulatedServers servers;
  private final List<Coupon> coupons = new ArrayList<>();
  private final List<UserId> users;
  private final List<Partition> partitions;
  private final List<SimulatedInstance> instances = new ArrayList<>();
  private final SimulationInvariants invariants;
  private final String neglected;

  /** In some histories customers give coupons back and operators revoke them. */
  private final boolean returning;

  /** In some, operators close coupons and archive them, in the storm and all of them in the end. */
  private final boolean archiving;

  /** In some of those they also pause and resume, and the database loses some of it all. */
  private final boolean losing;

  private int archivedInTheStorm;

  /** In some of those, events are published too. */
  private final boolean telling;

  private int starts;

  Simulation(long seed) {
    schedule = new Schedule(seed);
    returning = seed % RETURNING_EVERY == 0;
    archiving = seed % ARCHIVING_EVERY == 0;
    losing = seed % LOSING_EVERY == 0;
    telling = returning && seed % TELLING_EVERY == 1;
    weather = new Weather(schedule);
    record = new AnswerRecord(schedule);
    network = new SimulatedNetwork(schedule, weather, clock, this::claimsTookEffect);
    partitions = Partition.all(1 + schedule.below(2));
    int couponCount = 1 + schedule.below(2);
    for (int i = 0; i < couponCount; i++) {
      var coupon =
          CouponFixtures.aCoupon()
              .withId("COUPON" + i)
              .withTotal(1 + schedule.below(schedule.chance(0.3) ? 4 : 40))
              .inPartition(schedule.oneOf(partitions));
      boolean slotsGoBack = returning && schedule.chance(0.8);
      coupons.add((slotsGoBack ? coupon.returningToStock() : coupon).build());
    }
    users =
        IntStream.range(0, 4 + schedule.below(40)).mapToObj(i -> new UserId("user-" + i)).toList();
    servers = new SimulatedServers(schedule, network, clock, record, partitions, coupons, users);
    neglected = schedule.oneOf(List.of("record", "record", "relay", "keep", "settle", "nothing"));
    invariants = new SimulationInvariants(servers, record, coupons, users);
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
    if (returning) {
      claim(owners().stream().filter(owner -> schedule.chance(0.7)).toList());
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
    comeToRest();
    invariants.holdAtRest();
    if (losing) {
      loseAPause();
    }
    claim(owners());
    invariants.holdWhenEverybodyHasClaimed();
    if (telling) {
      servers.listeners.requireWholeStories(servers.database, record.isDatabaseSetBackSince(0));
    }
    if (archiving) {
      archivedInTheStorm = archived();
      archiveAll();
      invariants.holdAtRest();
      claim(owners());
      invariants.holdAtRest();
    }
  }

  /** At rest: no recovery and no other change brings the terms, so the comparison must. */
  private void loseAPause() {
    var past = servers.database.backUp();
    for (var coupon : coupons) {
      operate("pause", coupon, SimulatedInstance::pause);
    }
    comeToRest();
    servers.loseChanges(past);
    comeToRest();
    invariants.holdAtRest();
  }

  private void archiveAll() {
    for (int round = 0; round < MAX_ROUNDS_TO_REST && archived() < coupons.size(); round++) {
      for (var coupon : coupons) {
        operate("close", coupon, SimulatedInstance::close);
        operate("archive", coupon, SimulatedInstance::archive);
      }
      comeToRest();
    }
    if (archived() < coupons.size()) {
      throw new AssertionError("what is at rest cannot be archived");
    }
  }

  private int archived() {
    return (int)
        coupons.stream()
            .filter(coupon -> servers.statusOf(coupon) == CouponStatus.ARCHIVED)
            .count();
  }

  int archivedInTheStorm() {
    return archivedInTheStorm;
  }

  private void operate(
      String what, Coupon coupon, BiFunction<SimulatedInstance, CouponId, Object> wish) {
    var instance = schedule.oneOf(instances);
    schedule.begin(
        instance.lifetime(),
        () -> {
          try {
            schedule.note("operator", what, wish.apply(instance, coupon.id()));
          } catch (ServerUnavailableException e) {
            schedule.note("operator", what, String.valueOf(e.getMessage()));
          }
        });
  }

  Map<Fault, Integer> faults() {
    return schedule.faults();
  }

  /** How many slots went back to stock, whoever took them afterwards. */
  int slotsBack() {
    return (int) slotOwners().filter(owner -> !owner.live()).count();
  }

  int eventsTold() {
    return servers.listeners.count();
  }

  int slotsTakenAgain() {
    return (int) slotOwners().filter(owner -> owner.generation() > 1).count();
  }

  private Stream<SlotOwner> slotOwners() {
    return coupons.stream()
        .flatMap(
            coupon -> servers.database.userCoupons().slotOwners(coupon.id(), null, 1_000).stream());
  }

  List<String> history() {
    return schedule.history();
  }

  AnswerRecord record() {
    return record;
  }

  String endOfHistory() {
    return schedule.endOfHistory();
  }

  private void step() {
    schedule.nextStep();
    clock.advance(Duration.ofMillis(schedule.below(schedule.chance(0.05) ? 5_000 : 50)));
    servers.timePasses();
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
    if (archiving) {
      operatorsAct();
    }
    if (losing) {
      changesAreLost();
    }
    move(schedule.below(100));
    careForTheDead();
  }

  /** They close late, so that there is something to archive, and ask again and again. */
  private void operatorsAct() {
    var coupon = schedule.oneOf(coupons);
    if (schedule.chance(0.004)) {
      operate("close", coupon, SimulatedInstance::close);
    } else if (schedule.chance(0.06)) {
      operate("archive", coupon, SimulatedInstance::archive);
    }
  }

  private void changesAreLost() {
    var coupon = schedule.oneOf(coupons);
    if (schedule.chance(0.02)) {
      operate("pause", coupon, SimulatedInstance::pause);
    } else if (schedule.chance(0.04)) {
      operate("resume", coupon, SimulatedInstance::resume);
    }
    servers.keepPast();
    if (schedule.chance(0.01)) {
      servers.loseChanges();
    }
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
      somebodyAsks(instance);
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

  /** Some customers claim, some ask what became of a claim, the more so who was left in doubt. */
  private void somebodyAsks(SimulatedInstance instance) {
    var doubtful = record.leftInDoubt();
    var owners = returning ? record.toldThatTheyHaveOne() : List.<Owner>of();
    if (!owners.isEmpty() && schedule.chance(0.7)) {
      var kind = schedule.chance(0.7) ? Kind.GIVE_BACK : Kind.REVOKE;
      ask(instance, kind, schedule.oneOf(owners));
    } else if (!doubtful.isEmpty() && schedule.chance(0.3)) {
      ask(instance, Kind.STATUS, schedule.oneOf(doubtful));
    } else {
      var owner = new Owner(schedule.oneOf(coupons).id(), schedule.oneOf(users));
      ask(instance, schedule.chance(0.8) ? Kind.CLAIM : Kind.STATUS, owner);
    }
  }

  private void ask(SimulatedInstance instance, Kind kind, Owner owner) {
    var request = record.asked(kind, owner, clock.instant());
    schedule.begin(
        instance.lifetime(),
        () -> {
          try {
            record.answered(
                request,
                switch (kind) {
                  case CLAIM -> instance.claim(owner.couponId(), owner.userId());
                  case STATUS -> instance.status(owner.couponId(), owner.userId());
                  case GIVE_BACK -> instance.giveBack(owner);
                  case REVOKE -> instance.revoke(owner);
                });
          } catch (ServerUnavailableException e) {
            record.answered(request, e);
          } finally {
            record.ended(request, clock.instant());
          }
        });
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
    InstantSource itsClock = () -> clock.instant().plus(skew);
    var name = "instance-" + ++starts;
    var instance =
        new SimulatedInstance(
            name,
            schedule,
            network,
            servers,
            itsClock,
            LIMITS,
            partitions,
            record,
            returning,
            telling,
            archiving);
    if (place < instances.size()) {
      instances.set(place, instance);
    } else {
      instances.add(instance);
    }
  }

  /**
   * A master that was left and came back takes claims from instances that have not yet heard of the
   * epoch after it. They are served as well as can be, but others may have their slots.
   */
  private void claimsTookEffect(
      StockAddress coupon, List<Claim> claims, List<ClaimOutcome> outcomes) {
    if (servers.isDeposed(coupon)) {
      for (int i = 0; i < claims.size(); i++) {
        if (outcomes.get(i) instanceof ClaimOutcome.Accepted) {
          record.slotForgotten(new Owner(coupon.couponId(), claims.get(i).userId()));
        }
      }
    }
  }

  /** All of them claim, and again where too much was going on. */
  private void claim(List<Owner> owners) {
    int since = schedule.step();
    var open = new ArrayList<>(owners);
    for (int round = 0; round < MAX_ROUNDS_TO_REST && !open.isEmpty(); round++) {
      open.forEach(owner -> ask(schedule.oneOf(instances), Kind.CLAIM, owner));
      comeToRest();
      open.removeIf(owner -> record.isDefinitelyAnswered(owner, since));
    }
    if (!open.isEmpty()) {
      throw new AssertionError("no definite answer for " + open);
    }
  }

  private List<Owner> owners() {
    var owners = new ArrayList<Owner>();
    for (var coupon : coupons) {
      users.forEach(user -> owners.add(new Owner(coupon.id(), user)));
    }
    return owners;
  }

  private void comeToRest() {
    for (int round = 0; round < MAX_ROUNDS_TO_REST; round++) {
      finishAll();
      if (round > 0
          && servers.areAtRest()
          && !(telling && servers.database.hasEvents())
          && !(archiving && servers.haveToClear())) {
        return;
      }
      schedule.nextStep();
      clock.advance(Duration.ofSeconds(20));
      for (var instance : instances) {
        instance.rounds().forEach(instance::begin);
      }
    }
    throw new AssertionError("it does not come to rest");
  }

  /** Lets everything that has begun come to its end. */
  private void finishAll() {
    int moves = 0;
    while (schedule.hasTasks() || network.hasClaimCalls() || network.hasLateCalls()) {
      if (++moves > MAX_MOVES_A_ROUND) {
        throw new AssertionError("something never ends");
      }
      schedule.nextStep();
      schedule.runOne();
      careForTheDead();
      instances.forEach(SimulatedInstance::sendNext);
      network.moveAClaimCall();
      network.moveALateCall();
    }
  }
}
