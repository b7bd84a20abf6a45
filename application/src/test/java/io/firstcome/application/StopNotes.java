package io.firstcome.application;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.IssuanceObserver;
import java.util.List;

/** Collects the reasons why recoveries were stopped. */
record StopNotes(List<String> reasons) implements IssuanceObserver {

  @Override
  public void recoveryStopped(Partition partition, String reason) {
    reasons.add(reason);
  }
}
