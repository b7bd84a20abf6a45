package io.firstcome.adapter.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.PartitionEpochs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The right to recover a partition when sessions and instances end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class RecoveryRightIT {

  private static final Partition PARTITION = new Partition(7);

  private final TestDatabase database = new TestDatabase(RecoveryRightIT.class);
  private final PartitionEpochs epochs = database.ports().epochs();

  @AfterAll
  void close() {
    database.close();
  }

  private void endTheSessionThatHoldsTheRight() {
    database
        .dsl()
        .execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
            WHERE locktype = 'advisory' AND classid::bigint = ?
            """,
            (long) JooqPartitionEpochs.RECOVERY_LOCKS);
  }

  @Test
  void it_is_free_again_when_the_holders_session_ends() {
    var lost = epochs.tryToRecover(PARTITION).orElseThrow();
    endTheSessionThatHoldsTheRight();

    try (var next = epochs.tryToRecover(PARTITION).orElseThrow()) {
      assertThat(next).isNotNull();
      lost.close();
      assertThat(epochs.tryToRecover(PARTITION)).isEmpty();
    }
  }

  @Test
  void closing_it_leaves_no_connection_behind() {
    for (int i = 0; i < 2 * database.dataSource().getMaximumPoolSize(); i++) {
      var right = epochs.tryToRecover(PARTITION).orElseThrow();
      assertThat(epochs.tryToRecover(PARTITION)).isEmpty();
      if (i % 2 == 0) {
        endTheSessionThatHoldsTheRight();
      }
      right.close();
    }

    assertThat(database.dataSource().getHikariPoolMXBean().getActiveConnections()).isZero();
  }
}
