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
class RecoveryLeaseIT {

  private static final Partition PARTITION = new Partition(7);
  private static final Duration LEASE = Duration.ofMillis(500);
  private static final Duration FREE_LIMIT = Duration.ofSeconds(10);

  private final TestDatabase database = new TestDatabase(RecoveryLeaseIT.class);
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
  void the_lease_ends_with_the_session_of_its_owner() {
    var lost = epochs.tryAcquireLease(PARTITION).orElseThrow();
    endTheSessionThatHoldsTheLease();

    try (var next = epochs.tryAcquireLease(PARTITION).orElseThrow()) {
      assertThat(next).isNotNull();
      lost.close();
      assertThat(epochs.tryAcquireLease(PARTITION)).isEmpty();
    }
  }

  /** Ends the thread that renews the lease, as if the instance were frozen. */
  @Test
  void the_lease_ends_when_its_owner_is_frozen() {
    var frozen = shortLived().tryAcquireLease(PARTITION).orElseThrow();
    assertThat(shortLived().tryAcquireLease(PARTITION)).isEmpty();
    leaseThread().interrupt();

    try (var next = awaitLease()) {
      assertThat(next).isNotNull();
    }
    frozen.close();
  }

  @Test
  void the_lease_lasts_while_its_owner_reports_progress() {
    try (var held = shortLived().tryAcquireLease(PARTITION).orElseThrow()) {
      assertThat(held).isNotNull();
      long end = System.nanoTime() + LEASE.multipliedBy(4).toNanos();
      while (System.nanoTime() < end) {
        held.noteProgress();
        assertThat(shortLived().tryAcquireLease(PARTITION)).isEmpty();
      }
    }
    awaitLease().close();
  }

  /** The process and the thread of the lease run, but the recovery reports no progress. */
  @Test
  void the_lease_ends_when_its_owner_reports_no_progress() {
    var stuck = shortLived().tryAcquireLease(PARTITION).orElseThrow();

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
            usual.shortLockWait(),
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

  private PartitionEpochs.Lease awaitLease() {
    long end = System.nanoTime() + FREE_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      var lease = shortLived().tryAcquireLease(PARTITION);
      if (lease.isPresent()) {
        return lease.get();
      }
    }
    throw new AssertionError("the recovery lease is still held");
  }

  @Test
  void closing_the_lease_leaks_no_connection() {
    for (int i = 0; i < 2 * database.dataSource().getMaximumPoolSize(); i++) {
      var lease = epochs.tryAcquireLease(PARTITION).orElseThrow();
      assertThat(epochs.tryAcquireLease(PARTITION)).isEmpty();
      if (i % 2 == 0) {
        endTheSessionThatHoldsTheLease();
      }
      lease.close();
    }

    assertThat(database.dataSource().getHikariPoolMXBean().getActiveConnections()).isZero();
  }
}
