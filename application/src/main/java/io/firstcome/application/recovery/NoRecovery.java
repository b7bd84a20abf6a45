package io.firstcome.application.recovery;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import org.jspecify.annotations.Nullable;

/** The recoverer of a deployment without partitions: every call is refused. */
final class NoRecovery implements Recoverer {

  @Override
  public Recovery openOrRecover(Partition partition, @Nullable Epoch distrusted) {
    throw noPartition(partition);
  }

  @Override
  public Recovery recoverNow(Partition partition, RecoverStock.Database database) {
    throw noPartition(partition);
  }

  @Override
  public boolean takesClaims(Partition partition) {
    throw noPartition(partition);
  }

  private static IllegalArgumentException noPartition(Partition partition) {
    return new IllegalArgumentException("this deployment has no partition: " + partition);
  }
}
