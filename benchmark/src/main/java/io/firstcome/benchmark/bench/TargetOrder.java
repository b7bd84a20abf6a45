package io.firstcome.benchmark.bench;

import java.util.Comparator;

/** The order of targets: P2 before P2-stopped before P10 before W1. */
final class TargetOrder {

  static final Comparator<String> BY_NUMBER =
      Comparator.<String>comparingInt(id -> id.charAt(0))
          .thenComparingInt(TargetOrder::number)
          .thenComparing(Comparator.naturalOrder());

  private TargetOrder() {}

  private static int number(String id) {
    return Integer.parseInt(id.substring(1).split("-", 2)[0]);
  }
}
