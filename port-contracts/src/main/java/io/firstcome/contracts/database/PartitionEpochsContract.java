package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.PartitionEpochs.Lease;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link PartitionEpochs} does. */
public abstract class PartitionEpochsContract extends DatabaseContract {

  private static final Partition PARTITION = new Partition(7);
  private static final Partition OTHER = new Partition(8);

  private PartitionEpochs epochs() {
    return database().epochs();
  }

  private Lease leaseOf(Partition partition) {
    return epochs().tryAcquireLease(partition).orElseThrow();
  }

  @Test
  void before_the_first_recovery_there_is_no_epoch() {
    assertThat(epochs().current(PARTITION)).isEqualTo(Epoch.NONE);

    database()
        .coupons()
        .addIfAbsent(aCoupon().inPartition(PARTITION).build(), OPERATOR, ACCEPTED_AT);
    assertThat(epochs().current(PARTITION)).isEqualTo(Epoch.NONE);
  }

  @Test
  void a_raised_epoch_is_current_for_its_partition_only() {
    assertThat(epochs().raise(PARTITION, new Epoch(5))).isTrue();

    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(5));
    assertThat(epochs().current(OTHER)).isEqualTo(Epoch.NONE);
  }

  @Test
  void an_epoch_never_decreases_and_is_not_raised_twice() {
    epochs().raise(PARTITION, new Epoch(5));

    assertThat(epochs().raise(PARTITION, new Epoch(5))).isFalse();
    assertThat(epochs().raise(PARTITION, new Epoch(4))).isFalse();
    assertThat(epochs().raise(OTHER, Epoch.NONE)).isFalse();
    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(5));
  }

  @Test
  void of_concurrent_raises_to_the_same_epoch_exactly_one_succeeds() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (long number = 1; number <= 20; number++) {
        var epoch = new Epoch(number);
        Callable<Boolean> raise = () -> epochs().raise(PARTITION, epoch);
        var results = new ArrayList<Boolean>();
        for (var raised : threads.invokeAll(LongStream.range(0, 4).mapToObj(i -> raise).toList())) {
          results.add(raised.get());
        }
        assertThat(results).containsOnlyOnce(true);
      }
    }
  }

  @Test
  void a_lease_has_only_one_owner_at_a_time() {
    try (var lease = leaseOf(PARTITION)) {
      assertThat(lease).isNotNull();
      assertThat(epochs().tryAcquireLease(PARTITION)).isEmpty();
    }
  }

  @Test
  void leases_of_different_partitions_are_independent() {
    try (var lease = leaseOf(PARTITION);
        var other = leaseOf(OTHER)) {
      assertThat(lease).isNotEqualTo(other);
    }
  }

  @Test
  void a_closed_lease_can_be_acquired_again() {
    for (int i = 0; i < 3; i++) {
      leaseOf(PARTITION).close();
    }
  }

  @Test
  void closing_a_lease_twice_does_not_end_the_lease_of_the_next_owner() {
    var first = leaseOf(PARTITION);
    first.close();
    try (var second = leaseOf(PARTITION)) {
      first.close();

      assertThat(second).isNotNull();
      assertThat(epochs().tryAcquireLease(PARTITION)).isEmpty();
    }
  }

  @Test
  void the_epoch_can_be_raised_while_the_lease_is_held() {
    try (var lease = leaseOf(PARTITION)) {
      assertThat(lease).isNotNull();
      assertThat(epochs().raise(PARTITION, new Epoch(1))).isTrue();
    }
    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(1));
  }
}
