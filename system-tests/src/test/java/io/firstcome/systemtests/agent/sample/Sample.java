package io.firstcome.systemtests.agent.sample;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;

/** A program that prints its progress and the time of its clock. */
public final class Sample {

  private Sample() {}

  public static void main(String[] arguments) {
    System.out.println("now " + Instant.now());
    System.out.println("millis " + System.currentTimeMillis());
    for (int round = 1; round <= 3; round++) {
      System.out.println("begin " + round);
      System.out.println("end " + step(round));
    }
  }

  /** More than one return, and branches that merge types. */
  static Object step(int round) {
    System.out.println("in " + round);
    Iterable<?> merged = round > 1 ? new ArrayList<Object>() : Path.of("x");
    if (merged instanceof Path) {
      return round;
    }
    return Integer.toString(round);
  }
}
