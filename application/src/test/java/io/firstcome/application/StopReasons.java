package io.firstcome.application;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.RecoveryObservation;
import java.util.List;

/** Collects the reasons why recoveries were stopped. */
record StopReasons(List<String> reasons) implements IssuanceObserver {

  @Override
  public void observe(Observation observation) {
    if (observation instanceof RecoveryObservation.Stopped(_, String reason)) {
      reasons.add(reason);
    }
  }
}
