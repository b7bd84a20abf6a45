package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Kind;
import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One history of two instances of the service, their customers and their servers, made from a seed:
 * first a storm of faults, then a calm in which everything must heal, then the judgement.
 */
final class Simulation {

  private static final int MAX_ROUNDS_TO_REST = 60;
  private static final int MAX_MOVES_A_ROUND = 20_000;

  /** Servers are small, clocks of instances are wrong, and nothing depends on real time. */
  static final ApplicationLimits LIMITS =
      new ApplicationLimits(
          10,
          Duration.ofHours(1),
          Duration.ofSeconds(1),
          Duration.ofHours(1),
          2,
          3,
          Duration.ZERO,
          Duration.ofSeconds(2),
          4,
          1_000,
          Duration.ZERO,
          Duration.ZERO,
          3,
          Duration.ofDays(1_000),
          100,
          1,
          Duration.ofSeconds(10),
          12);

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
  private int starts;

  Simulation(long seed) {
    schedule = new Schedule(seed);
    weather = new Weather(schedule);
    record = new AnswerRecord(schedule);
    network = new SimulatedNetwork(schedule, weather, clock, this::claimsTookEffect);
    partitions = Partition.all(1 + schedule.below(2));
    int couponCount = 1 + schedule.below(4);
    for (int i = 0; i < couponCount; i++) {
      coupons.add(
          CouponFixtures.aCoupon()
              .withId("COUPON" + i)
              .withTotal(1 + schedule.below(schedule.chance(0.5) ? 4 : 20))
              .inPartition(schedule.oneOf(partitions))
              .build());
    }
    users =
        IntStream.range(0, 3 + schedule.below(13)).mapToObj(i -> new UserId("user-" + i)).toList();
    servers = new SimulatedServers(schedule, network, clock, record, coupons, users);
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
    weather.begin();
    int steps = 200 + schedule.below(800);
    for (int i = 0; i < steps; i++) {
      step();
      invariants.holdAtEveryMoment();
    }
    schedule.note("---", "from here on nothing goes wrong", "");
    weather.clearUp();
    servers.comeBack();
    comeToRest();
    invariants.holdAtRest();
    everybodyClaims();
    invariants.holdWhenEverybodyHasClaimed();
  }

  Map<Fault, Integer> faults() {
    return schedule.faults();
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
    var fault = weather.strikesServer();
    if (fault != null) {
      servers.strike(fault);
    }
    move(schedule.below(100));
    careForTheDead();
  }

  private void move(int dice) {
    var instance = schedule.oneOf(instances);
    if (dice < 50) {
      schedule.runOne();
    } else if (dice < 65) {
      network.moveAClaimCall();
    } else if (dice < 67) {
      network.moveALateCall();
    } else if (dice < 77) {
      instance.sendNext();
    } else if (dice < 84) {
      ask(instance, schedule.chance(0.8) ? Kind.CLAIM : Kind.STATUS, anybody());
    } else {
      instance.begin(schedule.oneOf(instance.rounds()));
    }
  }

  private Owner anybody() {
    return new Owner(schedule.oneOf(coupons).id(), schedule.oneOf(users));
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
            name, schedule, network, servers, itsClock, LIMITS, partitions, record);
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

  /** Every customer claims every coupon, and again where too much was going on. */
  private void everybodyClaims() {
    int since = schedule.step();
    var open = owners();
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
      if (round > 2 && servers.areAtRest(partitions)) {
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
