package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.reconciliation.Discrepancy;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.util.List;

/** Writes the reports of an instance into the history. */
record SimulatedObserver(String instance, Schedule schedule, AnswerRecord record)
    implements IssuanceObserver {

  @Override
  public void recorded(CouponId couponId, RecordOutcome outcome) {
    schedule.note(instance, "recorded", outcome);
  }

  @Override
  public void recoveryStep(Partition partition, Epoch epoch, String step) {
    schedule.note(instance, "recovers " + partition + " in " + epoch, step);
  }

  @Override
  public void couponNotRebuilt(CouponId couponId, RuntimeException failure) {
    throw new AssertionError(couponId + " was not rebuilt", failure);
  }

  @Override
  public void recoveryStopped(Partition partition, String reason) {
    schedule.note(instance, "stops recovery of " + partition, reason);
  }

  @Override
  public void discrepanciesFound(
      CouponId couponId, List<Discrepancy> discrepancies, boolean healing) {
    for (var discrepancy : discrepancies) {
      if (!(discrepancy instanceof Discrepancy.StuckEntry)) {
        record.alarm(couponId + " " + discrepancy);
      }
    }
  }
}
