package io.firstcome.application.simulation;

import java.util.Set;

/** Whether the stock server has the scripts of calls; instances load lost scripts again. */
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
