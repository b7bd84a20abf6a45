package io.firstcome.benchmark.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * The requests of a round, and their order.
 *
 * @param users number of users, each of whom claims at least once
 * @param quantity number of slots
 * @param seed of the order, and of the users who claim twice
 */
record Load(int users, int quantity, long seed) {

  /** Concurrent requests. */
  static final int CALLERS = 256;

  /** One in this number of users sends two requests at once, as after a double click. */
  private static final int CLAIM_TWICE = 10;

  Load {
    if (users < 1 || quantity < 1) {
      throw new IllegalArgumentException(
          "users and slots must be positive: " + users + ", " + quantity);
    }
  }

  List<String> names() {
    var names = new ArrayList<String>(users);
    for (int i = 0; i < users; i++) {
      // As long as the ids that most services have.
      names.add(String.format(Locale.ROOT, "user-%08d-%08x-%012d", i, seed & 0xffffffffL, i));
    }
    return names;
  }

  /** One user for each request; the two requests of a user who claims twice are adjacent. */
  List<String> requests() {
    var names = names();
    var random = new Random(seed);
    Collections.shuffle(names, random);
    var requests = new ArrayList<String>(users + users / CLAIM_TWICE + 1);
    for (var name : names) {
      requests.add(name);
      if (random.nextInt(CLAIM_TWICE) == 0) {
        requests.add(name);
      }
    }
    return requests;
  }
}
