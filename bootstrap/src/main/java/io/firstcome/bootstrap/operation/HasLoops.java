package io.firstcome.bootstrap.operation;

import java.util.List;

/** A component that runs loops and reports those that have died. */
public interface HasLoops {

  /** Names of the loops whose thread has ended without being stopped. */
  List<String> dead();
}
