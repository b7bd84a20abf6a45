package io.firstcome.devservices.launcher.demo;

import java.util.List;

/** A difference between what a demo found and what it expects. */
final class Difference {

  private Difference() {}

  /** Adds one to the list if there is one. */
  static void add(List<String> differences, String what, int actual, int expected) {
    if (actual != expected) {
      differences.add("%s: %d, not %d".formatted(what, actual, expected));
    }
  }
}
