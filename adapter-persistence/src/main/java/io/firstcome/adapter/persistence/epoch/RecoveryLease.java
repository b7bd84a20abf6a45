package io.firstcome.adapter.persistence.epoch;

import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.PartitionEpochs.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The exclusive right to recover a partition: an advisory lock of a session that PostgreSQL ends
 * when it was idle for the lease time. A thread of the holder renews the lease by using the
 * session, so the lock is free soon after the holder has crashed, is frozen or is cut off from the
 * server. That thread stops when the recovery makes no progress, such as when writing a log line
 * blocks.
 *
 * <p>A holder that has lost the lease without noticing does no harm: the epoch is the fencing
 * token, which the next holder raises.
 */
final class RecoveryLease implements Lease {

  /**
   * The first key of the advisory locks of recoveries, "fcre" in ASCII; the second key is the
   * partition. All other advisory locks in this database have other keys.
   */
  static final int LOCKS = 0x66637265;

  private final Connection connection;
  private final Partition partition;
  private final PersistenceLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private boolean isReleased;
  private volatile long lastProgressNanos = System.nanoTime();

  private RecoveryLease(Connection connection, Partition partition, PersistenceLimits limits) {
    this.connection = connection;
    this.partition = partition;
    this.limits = limits;
  }

  /**
   * Takes the lease if it is free. The lease then owns the connection; otherwise the connection is
   * unchanged.
   */
  static Optional<Lease> tryToTake(
      Connection connection, Partition partition, PersistenceLimits limits) throws SQLException {
    connection.setAutoCommit(true);
    if (!isTaken(connection, partition, limits.recoveryLease())) {
      return Optional.empty();
    }
    var lease = new RecoveryLease(connection, partition, limits);
    try {
      // A platform thread: it must run even when requests use all carrier threads.
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

  /**
   * Takes the lock and sets the idle limit in one statement, so that no lock is without a limit.
   */
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
      while (!isReleased && hasProgressed() && isRenewed()) {
        var _ = released.awaitNanos(limits.recoveryLeaseRenewal().toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasProgressed() {
    return System.nanoTime() - lastProgressNanos < limits.recoveryStep().toNanos();
  }

  @Override
  public void noteProgress() {
    lastProgressNanos = System.nanoTime();
  }

  /** False if the session has ended, and the lease with it. */
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
      returnConnection();
    } catch (SQLException e) {
      throw JooqPartitionEpochs.translated(e);
    } finally {
      lock.unlock();
    }
  }

  private void returnConnection() throws SQLException {
    try (connection) {
      if (!connection.isClosed() && !isUnlocked()) {
        // A session that may still hold the lock must not go back to a pool.
        connection.abort(Runnable::run);
      }
    }
  }

  /** False after any failure: ending the session frees the lock as well. */
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
