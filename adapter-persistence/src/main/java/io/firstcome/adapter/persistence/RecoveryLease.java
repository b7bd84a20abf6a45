package io.firstcome.adapter.persistence;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.PartitionEpochs.RecoveryRight;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The right to recover a partition: an advisory lock of a session that PostgreSQL ends when it was
 * idle for the lease time. A thread of the holder uses the session again and again, so the lock is
 * free soon after the holder has died, was frozen or was cut off from the server. That thread stops
 * when the recovery does not go on, such as by a log that takes no more lines.
 *
 * <p>A holder that has lost the right without noticing does no harm: the epoch is the fencing
 * number, which the next holder raises.
 */
final class RecoveryLease implements RecoveryRight {

  /**
   * The first of the two keys of the advisory locks of recoveries, the partition being the second:
   * "fcre" in ASCII. Whatever else takes advisory locks in this database takes others.
   */
  static final int LOCKS = 0x66637265;

  private final Connection connection;
  private final Partition partition;
  private final PersistenceLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private boolean isReleased;
  private volatile long wentOnNanos = System.nanoTime();

  private RecoveryLease(Connection connection, Partition partition, PersistenceLimits limits) {
    this.connection = connection;
    this.partition = partition;
    this.limits = limits;
  }

  /**
   * Takes the right if it is free. The connection is the lease's own from then on, else it is left
   * as it was.
   */
  static Optional<RecoveryRight> tryToTake(
      Connection connection, Partition partition, PersistenceLimits limits) throws SQLException {
    connection.setAutoCommit(true);
    if (!isTaken(connection, partition, limits.recoveryRight())) {
      return Optional.empty();
    }
    var lease = new RecoveryLease(connection, partition, limits);
    try {
      // A platform thread: it must go on when requests take all carriers.
      Thread.ofPlatform()
          .daemon()
          .name("recovery-lease-" + partition)
          .start(lease::renewUntilReleased);
    } catch (Error e) {
      lease.close();
      throw e;
    }
    return Optional.of(lease);
  }

  /** One statement, so that there is never a lock without a limit. */
  private static boolean isTaken(Connection connection, Partition partition, Duration idleLimit)
      throws SQLException {
    try (var statement =
        connection.prepareStatement(
            """
            SELECT CASE WHEN pg_try_advisory_lock(?, ?)
              THEN set_config('idle_session_timeout', ?, false) IS NOT NULL ELSE false END\
            """)) {
      statement.setInt(1, LOCKS);
      statement.setInt(2, partition.number());
      statement.setString(3, Long.toString(idleLimit.toMillis()));
      try (var result = statement.executeQuery()) {
        return result.next() && result.getBoolean(1);
      }
    }
  }

  private void renewUntilReleased() {
    lock.lock();
    try {
      while (!isReleased && hasGoneOn() && isRenewed()) {
        var _ = released.awaitNanos(limits.recoveryRightRenewal().toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasGoneOn() {
    return System.nanoTime() - wentOnNanos < limits.recoveryStep().toNanos();
  }

  @Override
  public void goesOn() {
    wentOnNanos = System.nanoTime();
  }

  /** False where the session is gone, and the right with it. */
  private boolean isRenewed() {
    try (var statement = connection.createStatement()) {
      return statement.execute("SELECT 1");
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isReleased = true;
      released.signalAll();
      giveBack();
    } catch (SQLException e) {
      throw JooqPartitionEpochs.translated(e);
    } finally {
      lock.unlock();
    }
  }

  private void giveBack() throws SQLException {
    try (connection) {
      if (!connection.isClosed() && !isUnlocked()) {
        // A session that may still hold the lock must not go back to a pool.
        connection.abort(Runnable::run);
      }
    }
  }

  /** Whatever broke here: ending the session frees the lock as well. */
  private boolean isUnlocked() {
    try (var unlock = connection.prepareStatement("SELECT pg_advisory_unlock(?, ?)");
        var noLimit = connection.createStatement()) {
      unlock.setInt(1, LOCKS);
      unlock.setInt(2, partition.number());
      try (var result = unlock.executeQuery()) {
        boolean unlocked = result.next() && result.getBoolean(1);
        noLimit.execute("RESET idle_session_timeout");
        return unlocked;
      }
    } catch (SQLException _) {
      return false;
    }
  }
}
