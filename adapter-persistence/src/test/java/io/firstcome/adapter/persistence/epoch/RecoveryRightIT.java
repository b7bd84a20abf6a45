package io.firstcome.adapter.persistence.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.PartitionEpochs;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The lease to recover a partition when sessions and instances end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class RecoveryRightIT {

  private static final Partition PARTITION = new Partition(7);
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final Duration FREE_LIMIT = Duration.ofSeconds(10);

  private final TestDatabase database = new TestDatabase(RecoveryRightIT.class);
  private final PartitionEpochs epochs = database.ports().epochs();

  @AfterAll
  void close() {
    database.close();
  }

  private void endTheSessionThatHoldsTheLease() {
    database
        .dsl()
        .execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
            WHERE locktype = 'advisory' AND classid::bigint = ?
            """,
            (long) RecoveryLease.LOCKS);
  }

  @Test
  void it_is_free_again_when_the_holders_session_ends() {
    var lost = epochs.tryToRecover(PARTITION).orElseThrow();
    endTheSessionThatHoldsTheLease();

    try (var next = epochs.tryToRecover(PARTITION).orElseThrow()) {
      assertThat(next).isNotNull();
      lost.close();
      assertThat(epochs.tryToRecover(PARTITION)).isEmpty();
    }
  }

  /** Ends the thread that renews the lease, as if the instance were frozen. */
  @Test
  void it_is_free_again_when_the_holder_is_frozen() {
    var frozen = shortLived().tryToRecover(PARTITION).orElseThrow();
    assertThat(shortLived().tryToRecover(PARTITION)).isEmpty();
    leaseThread().interrupt();

    try (var next = awaitLease()) {
      assertThat(next).isNotNull();
    }
    frozen.close();
  }

  @Test
  void it_stays_with_a_holder_that_goes_on() {
    try (var held = shortLived().tryToRecover(PARTITION).orElseThrow()) {
      assertThat(held).isNotNull();
      long end = System.nanoTime() + LEASE.multipliedBy(4).toNanos();
      while (System.nanoTime() < end) {
        held.goesOn();
        assertThat(shortLived().tryToRecover(PARTITION)).isEmpty();
      }
    }
    awaitLease().close();
  }

  /** The process and the thread of the lease run, but the recovery reports no progress. */
  @Test
  void it_is_free_again_when_the_recovery_does_not_go_on() {
    var stuck = shortLived().tryToRecover(PARTITION).orElseThrow();

    try (var next = awaitLease()) {
      assertThat(next).isNotNull();
    }
    stuck.close();
  }

  private PartitionEpochs shortLived() {
    var usual = TestDatabase.LIMITS;
    var limits =
        new PersistenceLimits(
            usual.idleInTransaction(),
            usual.lockWait(),
            usual.recordingLockWait(),
            usual.statement(),
            usual.transaction(),
            usual.clientCheck(),
            usual.silentClient(),
            LEASE,
            LEASE.dividedBy(5),
            LEASE.multipliedBy(2));
    return new JooqPartitionEpochs(database.database(), database.dataSource(), limits);
  }

  private static Thread leaseThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("recovery-lease-" + PARTITION))
        .findFirst()
        .orElseThrow();
  }

  private PartitionEpochs.RecoveryRight awaitLease() {
    long end = System.nanoTime() + FREE_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      var lease = shortLived().tryToRecover(PARTITION);
      if (lease.isPresent()) {
        return lease.get();
      }
    }
    throw new AssertionError("the recovery lease is still held");
  }

  @Test
  void closing_it_leaves_no_connection_behind() {
    for (int i = 0; i < 2 * database.dataSource().getMaximumPoolSize(); i++) {
      var lease = epochs.tryToRecover(PARTITION).orElseThrow();
      assertThat(epochs.tryToRecover(PARTITION)).isEmpty();
      if (i % 2 == 0) {
        endTheSessionThatHoldsTheLease();
      }
      lease.close();
    }

    assertThat(database.dataSource().getHikariPoolMXBean().getActiveConnections()).isZero();
  }
}
