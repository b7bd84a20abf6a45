package io.firstcome.adapter.persistence;

import java.time.Duration;

/**
 * The bounds of what one database session may hold up, and for how long. PostgreSQL enforces them,
 * so they hold for an instance that is frozen or cut off, which cannot end anything by itself.
 *
 * <p>All of them are below the driver's socket timeout, so that the server gives up first and says
 * why. Those of a session are set when it begins, see {@link
 * PersistenceAdapterConfiguration#sessionSettings}.
 *
 * @param idleInTransaction how long a transaction may wait for its client's next statement. A
 *     frozen instance holds row locks and the epoch for this long and no longer. Above it are the
 *     confirmations of the broker that the outbox waits for within its transaction
 * @param lockWait how long a statement may wait for one lock; longer than {@code
 *     idleInTransaction}, so that a statement that waits for a frozen instance succeeds when the
 *     server has ended that one's session
 * @param recordingLockWait how long the recording of claims may wait for one lock. Short, as a
 *     batch holds claims of many coupons, and those of a coupon that somebody else has locked can
 *     become late claims; but longer than PostgreSQL's {@code deadlock_timeout} (1 s), so that of
 *     two batches that wait for each other one is ended and repeated
 * @param statement how long one statement may run. The longest one counts the user coupons of a
 *     coupon, which takes seconds for ten million
 * @param transaction how long a transaction may last in all, on servers from PostgreSQL 17 on
 * @param clientCheck how often a running statement looks whether its client has closed the
 *     connection
 * @param silentClient after what time the server gives up a client whose host does not acknowledge
 *     what it was sent, such as one that lost its power. The operating system's own time is two
 *     hours
 * @param recoveryRight how long the right to recover a partition outlives the last sign of its
 *     holder
 * @param recoveryRightRenewal how often the holder shows that it goes on; several times within
 *     {@code recoveryRight}, as one sign may be late
 * @param recoveryStep how long one step of a recovery may take before its holder counts as one that
 *     does not go on, though its process runs; longer than {@code statement}
 */
public record PersistenceLimits(
    Duration idleInTransaction,
    Duration lockWait,
    Duration recordingLockWait,
    Duration statement,
    Duration transaction,
    Duration clientCheck,
    Duration silentClient,
    Duration recoveryRight,
    Duration recoveryRightRenewal,
    Duration recoveryStep) {

  public PersistenceLimits {
    if (lockWait.compareTo(idleInTransaction) <= 0) {
      throw new IllegalArgumentException(
          "lockWait must be longer than idleInTransaction: %s, %s"
              .formatted(lockWait, idleInTransaction));
    }
    if (recoveryRight.compareTo(recoveryRightRenewal.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "recoveryRight must be at least twice recoveryRightRenewal: %s, %s"
              .formatted(recoveryRight, recoveryRightRenewal));
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
