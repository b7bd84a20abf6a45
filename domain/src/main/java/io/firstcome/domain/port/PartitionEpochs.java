package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.util.Optional;

/**
 * The epoch of each partition in the database: its only source for callers. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface PartitionEpochs {

  /** The current epoch, {@link Epoch#NONE} before the first recovery. */
  Epoch current(Partition partition);

  /**
   * Raises the partition's epoch, after waiting for every recorder that has locked the old one.
   *
   * @return false if it is at that epoch or a later one already
   */
  boolean raise(Partition partition, Epoch epoch);

  /** The lease to recover the partition, if no other instance holds it. */
  Optional<Lease> tryAcquireLease(Partition partition);

  /**
   * The recovery lease: held while a partition is recovered. It ends with the process of its owner,
   * and soon after its owner stops renewing it.
   */
  interface Lease extends AutoCloseable {

    /** Keeps the lease renewed; to be called several times a minute while the recovery works. */
    default void noteProgress() {}

    @Override
    void close();
  }
}
