package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Kind;
import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;

/** The customers of a history: what they ask, and whom. */
final class SimulatedCustomers {

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final AnswerRecord record;
  private final List<SimulatedInstance> instances;

  /**
   * @param instances those that run now
   */
  SimulatedCustomers(SimulationSetting setting, List<SimulatedInstance> instances) {
    this.setting = setting;
    this.instances = instances;
    schedule = setting.schedule();
    record = setting.record();
  }

  /** Some customers claim, some ask what became of a claim, the more so who was left in doubt. */
  void oneAsks(SimulatedInstance instance) {
    var doubtful = record.leftInDoubt();
    var owners = setting.returning() ? record.toldThatTheyHaveOne() : List.<Owner>of();
    if (!owners.isEmpty() && schedule.chance(0.7)) {
      var kind = schedule.chance(0.7) ? Kind.GIVE_BACK : Kind.REVOKE;
      ask(instance, kind, schedule.oneOf(owners));
    } else if (!doubtful.isEmpty() && schedule.chance(0.3)) {
      ask(instance, Kind.STATUS, schedule.oneOf(doubtful));
    } else {
      var owner =
          new Owner(schedule.oneOf(setting.coupons()).id(), schedule.oneOf(setting.users()));
      ask(instance, schedule.chance(0.8) ? Kind.CLAIM : Kind.STATUS, owner);
    }
  }

  private void ask(SimulatedInstance instance, Kind kind, Owner owner) {
    var request = record.asked(kind, owner, setting.time().instant());
    var requests = instance.requests();
    schedule.begin(
        instance.lifetime(),
        () -> {
          try {
            record.answered(
                request,
                switch (kind) {
                  case CLAIM -> requests.claim(owner);
                  case STATUS -> requests.status(owner);
                  case GIVE_BACK -> requests.giveBack(owner);
                  case REVOKE -> requests.revoke(owner);
                });
          } catch (ServerUnavailableException e) {
            record.answered(request, e);
          } finally {
            record.ended(request, setting.time().instant());
          }
        });
  }

  /**
   * All of the owners claim, and again where they were asked to try again.
   *
   * @param rest lets everything come to rest
   */
  void claim(List<Owner> owners, int maxRounds, Runnable rest) {
    int since = schedule.step();
    var open = new ArrayList<>(owners);
    for (int round = 0; round < maxRounds && !open.isEmpty(); round++) {
      open.forEach(owner -> ask(schedule.oneOf(instances), Kind.CLAIM, owner));
      rest.run();
      open.removeIf(owner -> record.isDefinitelyAnswered(owner, since));
    }
    if (!open.isEmpty()) {
      throw new AssertionError("no definite answer for " + open);
    }
  }

  /** Every pair of a coupon and a user. */
  List<Owner> owners() {
    var owners = new ArrayList<Owner>();
    for (var coupon : setting.coupons()) {
      setting.users().forEach(user -> owners.add(new Owner(coupon.id(), user)));
    }
    return owners;
  }
}
