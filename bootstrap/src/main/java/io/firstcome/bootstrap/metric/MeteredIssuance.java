package io.firstcome.bootstrap.metric;

import io.firstcome.bootstrap.incident.RecentDiscrepancies;
import io.firstcome.bootstrap.incident.RunningRecoveries;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.observation.RecoveryObservation;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/**
 * Publishes observations as metrics and log lines, and notes incidents for operators. No log line
 * contains a user or a code.
 */
@Component
class MeteredIssuance implements IssuanceObserver {

  private final MeteredClaims claims;
  private final MeteredRecording recording;
  private final MeteredRecovery recovery;
  private final MeteredConsistency consistency;
  private final MeteredOperation operation;

  private final RunningRecoveries recoveries;
  private final RecentDiscrepancies discrepancies;

  MeteredIssuance(
      MeterRegistry registry, RunningRecoveries recoveries, RecentDiscrepancies discrepancies) {
    Metric.registerCounters(registry);
    var limit = new LogLimit();
    claims = new MeteredClaims(registry);
    recording = new MeteredRecording(registry, limit);
    recovery = new MeteredRecovery(registry, limit);
    consistency = new MeteredConsistency(registry, limit);
    operation = new MeteredOperation(registry, limit);
    this.recoveries = recoveries;
    this.discrepancies = discrepancies;
  }

  @Override
  public void observe(Observation observation) {
    switch (observation) {
      case ClaimObservation of -> claims.observe(of);
      case RecordingObservation of -> recording.observe(of);
      case RecoveryObservation of -> {
        recovery.observe(of);
        recoveries.note(of);
      }
      case ConsistencyObservation of -> {
        consistency.observe(of);
        discrepancies.note(of);
      }
      case OperationObservation of -> operation.observe(of);
    }
  }
}
