package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.util.List;

/** Writes the reports of an instance into the history. */
record SimulatedObserver(String instance, Schedule schedule, AnswerRecord record)
    implements IssuanceObserver {

  @Override
  public void observe(Observation observation) {
    switch (observation) {
      case RecordingObservation.ClaimsRecorded(_, var outcomes, _) ->
          outcomes.forEach(outcome -> schedule.note(instance, "recorded", outcome));
      case RecoveryObservation.StepDone(var partition, var epoch, var step) ->
          schedule.note(instance, "recovers " + partition + " in " + epoch, step);
      case RecoveryObservation.CouponNotRebuilt(
              CouponId couponId,
              _,
              _,
              DatabaseLockedException locked) ->
          schedule.note(instance, "does not rebuild " + couponId, locked);
      case RecoveryObservation.CouponNotRebuilt(
              CouponId couponId,
              _,
              _,
              RuntimeException failure) ->
          throw new AssertionError(couponId + " was not rebuilt", failure);
      case RecoveryObservation.Stopped(var partition, var reason) ->
          schedule.note(instance, "stops recovery of " + partition, reason);
      case ConsistencyObservation.DiscrepanciesFound(CouponId couponId, var discrepancies, _) ->
          discrepanciesFound(couponId, discrepancies);
      default -> {}
    }
  }

  private void discrepanciesFound(CouponId couponId, List<Discrepancy> discrepancies) {
    for (var discrepancy : discrepancies) {
      if (!(discrepancy instanceof Discrepancy.StuckEntry)) {
        record.alarm(couponId + " " + discrepancy);
      }
    }
  }
}
