package io.firstcome.application;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Partition;
import io.firstcome.domain.issuance.RecordOutcome;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.Duration;
import java.util.List;

/** Notes why recoveries were stopped. */
record StopNotes(List<String> reasons) implements IssuanceObserver {

  @Override
  public void recoveryStopped(Partition partition, String reason) {
    reasons.add(reason);
  }

  @Override
  public void claimCallEnded(CouponId couponId, int claims, Duration took, boolean answered) {}

  @Override
  public void relayed(int entries, boolean again) {}

  @Override
  public void roundFailed(String round, Exception cause) {}

  @Override
  public void recorded(CouponId couponId, RecordOutcome outcome) {}

  @Override
  public void setAside(CouponId couponId, String reason) {}

  @Override
  public void recordingPaused(Exception cause) {}

  @Override
  public void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {}

  @Override
  public void recoveryStep(Partition partition, Epoch epoch, String step) {}
}
