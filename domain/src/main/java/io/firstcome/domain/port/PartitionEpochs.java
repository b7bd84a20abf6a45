package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.util.Optional;

/**
 * The epoch of each partition, as the database knows it: the only place a caller learns it from.
 * Failures are {@link DatabaseUnavailableException}s.
 */
public interface PartitionEpochs {

  /** The current epoch, {@link Epoch#NONE} before the first recovery. */
  Epoch current(Partition partition);

  /**
   * Raises the partition's epoch, after waiting for every recorder that holds the old one.
   *
   * @return false if it is at that epoch or a later one already
   */
  boolean raise(Partition partition, Epoch epoch);

  /** The right to recover the partition, if no other instance has it. */
  Optional<RecoveryRight> tryToRecover(Partition partition);

  /**
   * Held while a partition is recovered. It ends by itself with the process that holds it, and soon
   * after a holder that does not go on.
   */
  interface RecoveryRight extends AutoCloseable {

    /** Says that the recovery goes on; to be called several times a minute. */
    default void goesOn() {}

    @Override
    void close();
  }
}
