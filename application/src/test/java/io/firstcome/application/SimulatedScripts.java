package io.firstcome.application;

import java.util.Set;

/** Whether the stock server knows the scripts that calls run, which instances load again. */
final class SimulatedScripts {

  /** Plain commands of the log, which need no script. */
  private static final Set<String> WITHOUT_SCRIPT = Set.of("readNew", "depth", "peek");

  private boolean areLost;

  static boolean isScript(String call) {
    return !WITHOUT_SCRIPT.contains(call);
  }

  boolean areLost() {
    return areLost;
  }

  void lose() {
    areLost = true;
  }

  void load() {
    areLost = false;
  }
}
