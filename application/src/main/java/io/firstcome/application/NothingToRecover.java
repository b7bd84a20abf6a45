package io.firstcome.application;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import org.jspecify.annotations.Nullable;

/** Of a deployment without partitions, where nobody can ask for the recovery of one. */
final class NothingToRecover implements Recoverer {

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
    return new IllegalArgumentException("this deployment keeps no partition: " + partition);
  }
}
