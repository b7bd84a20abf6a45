package io.firstcome.bootstrap.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.instance.RecoveryStatus;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.observation.ConsistencyObservation.CouponCompared;
import io.firstcome.domain.observation.ConsistencyObservation.DiscrepanciesFound;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.observation.RecoveryObservation.Step;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncidentsTest {

  private static final CouponId COUPON = new CouponId("COUPON");
  private static final Partition PARTITION = new Partition(2);
  private static final long CLOSED = 0;

  private final RunningRecoveries recoveries = new RunningRecoveries();
  private final RecentDiscrepancies discrepancies = new RecentDiscrepancies();

  private void step(Step step) {
    recoveries.note(new RecoveryObservation.StepDone(PARTITION, new Epoch(5), step));
  }

  private List<RecoveryStatus> listed(long openEpoch) {
    return recoveries.list(_ -> new Epoch(openEpoch));
  }

  private List<String> sentences() {
    return listed(CLOSED).stream().map(RecoveryStatus::text).toList();
  }

  @Test
  void a_recovery_is_shown_until_its_partition_is_open() {
    step(Step.FENCED);
    assertThat(sentences())
        .containsExactly("Recovery of partition 2 in epoch 5: claims are refused.");
    step(Step.LOG_READ);
    recoveries.note(
        new RecoveryObservation.PartitionProgress(
            PARTITION, new Epoch(5), new Completion(0, 40, Duration.ZERO)));
    recoveries.note(
        new RecoveryObservation.CouponProgress(
            COUPON, PARTITION, new Completion(100_000, 1_000_000, Duration.ofSeconds(2))));
    assertThat(listed(CLOSED))
        .containsExactly(
            new RecoveryStatus(
                "Recovery of partition 2 in epoch 5: 0 of 40 coupons are rebuilt.", 0),
            new RecoveryStatus(
                "Coupon COUPON: 100,000 of at most 1,000,000 rows are rebuilt, at most 18 s are"
                    + " left.",
                10));

    recoveries.note(
        new RecoveryObservation.CouponRebuilt(COUPON, 1_000_000, 0, Duration.ofSeconds(1)));
    step(Step.OPEN);
    assertThat(listed(CLOSED)).isEmpty();
  }

  @Test
  void what_was_not_recovered_is_shown_until_it_is() {
    recoveries.note(new RecoveryObservation.Stopped(PARTITION, "the database was set back"));
    recoveries.note(
        new RecoveryObservation.CouponNotRebuilt(
            COUPON, PARTITION, new Epoch(5), new IllegalStateException("unreadable")));
    assertThat(sentences())
        .containsExactly(
            "Recovery of partition 2 has stopped: the database was set back.",
            "Coupon COUPON: could not be rebuilt, and its claims are refused.");

    assertThat(listed(5)).hasSize(1);
    assertThat(sentences()).hasSize(1);
    step(Step.EPOCH_RAISED);
    step(Step.OPEN);
    assertThat(sentences()).isEmpty();
  }

  @Test
  void what_another_instance_has_recovered_is_forgotten() {
    var failed = new CouponId("FAILED");
    recoveries.note(
        new RecoveryObservation.PartitionProgress(
            PARTITION, new Epoch(5), new Completion(3, 40, Duration.ofSeconds(1))));
    recoveries.note(
        new RecoveryObservation.CouponProgress(
            COUPON, PARTITION, new Completion(300_000, 1_000_000, Duration.ofSeconds(2))));
    recoveries.note(
        new RecoveryObservation.CouponNotRebuilt(
            failed, PARTITION, new Epoch(5), new IllegalStateException("unreadable")));
    assertThat(listed(CLOSED)).hasSize(3);

    assertThat(listed(6)).isEmpty();
    // Also when the partition is closed again.
    assertThat(listed(CLOSED)).isEmpty();
  }

  @Test
  void discrepancies_are_shown_until_a_comparison_finds_none() {
    var found = new DiscrepanciesFound(COUPON, List.of(new Discrepancy.MissingStock()), true);
    discrepancies.note(found);
    discrepancies.note(new CouponCompared(COUPON, Duration.ofMillis(1)));
    assertThat(discrepancies.list()).containsExactly(found);

    discrepancies.note(new CouponCompared(COUPON, Duration.ofMillis(1)));
    assertThat(discrepancies.list()).isEmpty();
  }
}
