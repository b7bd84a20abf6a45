package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.OperationObservation;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Collects the rounds that are reported as failed. */
final class FailedRounds implements IssuanceObserver {

  private final Queue<String> rounds = new ConcurrentLinkedQueue<>();

  @Override
  public void observe(Observation observation) {
    if (observation instanceof OperationObservation.RoundFailed(String round, _)) {
      rounds.add(round);
    }
  }

  List<String> rounds() {
    return List.copyOf(rounds);
  }
}
