package io.firstcome.application.simulation;

import io.firstcome.application.simulation.AnswerRecord.Kind;
import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;

/** The customers of a history, who send requests to instances. */
final class SimulatedCustomers {

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final AnswerRecord record;
  private final List<SimulatedInstance> instances;

  /**
   * @param instances the running ones
   */
  SimulatedCustomers(SimulationSetting setting, List<SimulatedInstance> instances) {
    this.setting = setting;
    this.instances = instances;
    schedule = setting.schedule();
    record = setting.record();
  }

  /**
   * A customer claims, asks for the status of a claim, mostly of one with an unknown outcome, or
   * returns a user coupon; or an operator revokes one.
   */
  void oneAsks(SimulatedInstance instance) {
    var unknownOutcomes = record.leftInDoubt();
    var owners = setting.returning() ? record.answeredWithASlot() : List.<Owner>of();
    if (!owners.isEmpty() && schedule.chance(0.7)) {
      var kind = schedule.chance(0.7) ? Kind.GIVE_BACK : Kind.REVOKE;
      ask(instance, kind, schedule.oneOf(owners));
    } else if (!unknownOutcomes.isEmpty() && schedule.chance(0.3)) {
      ask(instance, Kind.STATUS, schedule.oneOf(unknownOutcomes));
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
   * Claims for all owners, and retries until each has a definite answer.
   *
   * @param finishWork runs all pending work to its end
   */
  void claim(List<Owner> owners, int maxRounds, Runnable finishWork) {
    int since = schedule.step();
    var open = new ArrayList<>(owners);
    for (int round = 0; round < maxRounds && !open.isEmpty(); round++) {
      open.forEach(owner -> ask(schedule.oneOf(instances), Kind.CLAIM, owner));
      finishWork.run();
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
