package io.firstcome.application;

import io.firstcome.domain.issuance.Epoch;

/** What came of a look at one partition's fence, and of the recovery that it called for. */
public sealed interface Recovery {

  /** The partition is open in that epoch: it was, or has been recovered. */
  record Open(Epoch epoch) implements Recovery {}

  /** Another instance is at it, or this one has as many under way as it may. */
  record Elsewhere() implements Recovery {}

  /** An operator has to decide; nothing was changed, and no claim of the partition is taken. */
  record Stopped(String reason) implements Recovery {}
}
