package io.firstcome.bootstrap.operation;

import java.util.List;

/** Runs loops, and knows which of them will never do a round again. */
interface HasLoops {

  /** Names of the loops whose thread has ended although nothing asked it to stop. */
  List<String> dead();
}
