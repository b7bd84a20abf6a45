package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Answer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who was told what, by all of their requests. */
final class Told {

  private final Set<String> winners = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  void add(String user, Answer answer) {
    switch (answer) {
      case WON -> winners.add(user);
      case SOLD_OUT -> refused.add(user);
      // It says nothing new of a win, and where it is wrong, the user has no row.
      case ALREADY -> {}
    }
  }

  void addWinners(Iterable<String> users) {
    users.forEach(winners::add);
  }

  /** Users who were told at least once that the coupon is theirs. */
  Set<String> winners() {
    return Set.copyOf(winners);
  }

  /** Users who were told at least once that none is left. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }
}
