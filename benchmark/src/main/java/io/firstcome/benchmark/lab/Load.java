package io.firstcome.benchmark.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Who asks, and in which order.
 *
 * @param users who ask at least once
 * @param pieces to be given away
 * @param seed of the order, and of who asks twice
 */
record Load(int users, int pieces, long seed) {

  /** Asked at a time. */
  static final int CALLERS = 256;

  /** Every so many-th user asks twice at once, as an impatient finger does. */
  private static final int ASK_TWICE = 10;

  Load {
    if (users < 1 || pieces < 1) {
      throw new IllegalArgumentException(
          "users and pieces must be positive: " + users + ", " + pieces);
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

  /** One entry for each request; the two of a user who asks twice are neighbours. */
  List<String> requests() {
    var names = names();
    var random = new Random(seed);
    Collections.shuffle(names, random);
    var requests = new ArrayList<String>(users + users / ASK_TWICE + 1);
    for (var name : names) {
      requests.add(name);
      if (random.nextInt(ASK_TWICE) == 0) {
        requests.add(name);
      }
    }
    return requests;
  }
}
