package io.firstcome.application.simulation;

import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.broker.InMemoryBroker.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Messages that the broker has delivered to instances and that are unacknowledged. */
final class SimulatedDeliveries {

  private final InMemoryBroker broker;
  private final Schedule schedule;
  private final Map<Schedule.Lifetime, List<Delivery>> held = new HashMap<>();

  SimulatedDeliveries(InMemoryBroker broker, Schedule schedule) {
    this.broker = broker;
    this.schedule = schedule;
  }

  List<Delivery> deliver(Schedule.Lifetime to, int max) {
    var deliveries = broker.deliver(max);
    held.computeIfAbsent(to, absent -> new ArrayList<>()).addAll(deliveries);
    return deliveries;
  }

  /** Requeues the messages that a recorder had and did not acknowledge. */
  void end(Schedule.Lifetime of, List<Delivery> deliveries) {
    held.getOrDefault(of, new ArrayList<>()).removeAll(deliveries);
    giveBack(deliveries);
  }

  /** Requeues all messages of an instance whose connection the broker has closed. */
  void endAllOf(Schedule.Lifetime instance) {
    giveBack(held.getOrDefault(instance, List.of()));
  }

  private void giveBack(List<Delivery> deliveries) {
    int before = broker.heldCount();
    deliveries.forEach(broker::giveBack);
    if (broker.heldCount() < before) {
      schedule.struck(SimulatedFault.MESSAGES_REDELIVERED, "");
    }
  }
}
