package io.firstcome.adapter.persistence.session;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import java.time.Duration;

/**
 * The time limits of database sessions. PostgreSQL enforces them, so they also apply to an instance
 * that is frozen or cut off from the server, which cannot end anything itself.
 *
 * <p>All of them are below the driver's socket timeout, so that the server ends the call first and
 * reports the reason. The limits of a session are set when it begins, see {@link
 * PersistenceAdapterConfiguration#sessionSettings}.
 *
 * @param idleInTransaction how long a transaction may wait for its client's next statement. A
 *     frozen instance holds row locks and the epoch for this long and no longer. It must be longer
 *     than the outbox waits for confirmations of the broker within its transaction
 * @param lockWait how long a statement may wait for one lock; longer than {@code
 *     idleInTransaction}, so that a statement that waits for a lock of a frozen instance succeeds
 *     after the server has ended the session of that instance
 * @param shortLockWait how long the recording of claims, and an operator's change of a coupon, may
 *     wait for one lock. Short, because a batch holds claims of many coupons, and those of a coupon
 *     that another session has locked can become late claims; and because each of several sessions
 *     of a frozen instance that wait for the same row would get it after the other, and hold it for
 *     {@code idleInTransaction}. But longer than PostgreSQL's {@code deadlock_timeout} (1 s), so
 *     that of two batches in a deadlock one is aborted and retried
 * @param statement how long one statement may run. The longest one counts the user coupons of a
 *     coupon, which takes seconds for ten million
 * @param transaction how long a transaction may last in total; needs PostgreSQL 17 or later
 * @param clientCheck how often a running statement checks whether its client has closed the
 *     connection
 * @param silentClient after what time the server ends the session of a client whose host
 *     acknowledges nothing, such as after a power failure. The operating system's default is two
 *     hours
 * @param recoveryLease how long a recovery lease lasts after its last renewal
 * @param recoveryLeaseRenewal how often the holder renews the recovery lease; several times within
 *     {@code recoveryLease}, because one renewal can be late
 * @param recoveryStep how long one step of a recovery may take before its lease is no longer
 *     renewed, although its process runs; longer than {@code statement}
 */
public record PersistenceLimits(
    Duration idleInTransaction,
    Duration lockWait,
    Duration shortLockWait,
    Duration statement,
    Duration transaction,
    Duration clientCheck,
    Duration silentClient,
    Duration recoveryLease,
    Duration recoveryLeaseRenewal,
    Duration recoveryStep) {

  public PersistenceLimits {
    if (lockWait.compareTo(idleInTransaction) <= 0) {
      throw new IllegalArgumentException(
          "lockWait must be longer than idleInTransaction: %s, %s"
              .formatted(lockWait, idleInTransaction));
    }
    if (recoveryLease.compareTo(recoveryLeaseRenewal.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "recoveryLease must be at least twice recoveryLeaseRenewal: %s, %s"
              .formatted(recoveryLease, recoveryLeaseRenewal));
    }
  }

  /** The values for production. */
  public static PersistenceLimits defaults() {
    return new PersistenceLimits(
        Duration.ofSeconds(5),
        Duration.ofSeconds(6),
        Duration.ofSeconds(2),
        Duration.ofSeconds(20),
        Duration.ofSeconds(25),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }
}
