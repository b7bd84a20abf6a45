package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The answers that users got to all of their requests. */
final class ReportedWins {

  private final Set<String> winners = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  void add(String user, StrategyAnswer answer) {
    switch (answer) {
      case WON -> winners.add(user);
      case SOLD_OUT -> refused.add(user);
      // No new win; a wrong one shows as a missing row.
      case ALREADY -> {}
    }
  }

  void addWinners(Iterable<String> users) {
    users.forEach(winners::add);
  }

  /** Users with at least one answer that they won. */
  Set<String> winners() {
    return Set.copyOf(winners);
  }

  /** Users with at least one answer that the coupon is sold out. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }
}
