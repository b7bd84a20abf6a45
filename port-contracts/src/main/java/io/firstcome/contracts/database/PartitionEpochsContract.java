package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.PartitionEpochs.RecoveryRight;
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

  private RecoveryRight rightTo(Partition partition) {
    return epochs().tryToRecover(partition).orElseThrow();
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
  void a_raised_epoch_is_the_current_one_of_its_partition_alone() {
    assertThat(epochs().raise(PARTITION, new Epoch(5))).isTrue();

    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(5));
    assertThat(epochs().current(OTHER)).isEqualTo(Epoch.NONE);
  }

  @Test
  void an_epoch_never_goes_back_and_is_not_raised_twice() {
    epochs().raise(PARTITION, new Epoch(5));

    assertThat(epochs().raise(PARTITION, new Epoch(5))).isFalse();
    assertThat(epochs().raise(PARTITION, new Epoch(4))).isFalse();
    assertThat(epochs().raise(OTHER, Epoch.NONE)).isFalse();
    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(5));
  }

  @Test
  void of_many_who_raise_to_the_same_epoch_one_does() throws Exception {
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
  void one_at_a_time_has_the_right_to_recover_a_partition() {
    try (var right = rightTo(PARTITION)) {
      assertThat(right).isNotNull();
      assertThat(epochs().tryToRecover(PARTITION)).isEmpty();
    }
  }

  @Test
  void the_right_to_one_partition_is_not_the_right_to_another() {
    try (var right = rightTo(PARTITION);
        var other = rightTo(OTHER)) {
      assertThat(right).isNotEqualTo(other);
    }
  }

  @Test
  void the_right_is_free_again_when_it_is_closed() {
    for (int i = 0; i < 3; i++) {
      rightTo(PARTITION).close();
    }
  }

  @Test
  void closing_a_right_twice_does_not_take_it_from_the_next_holder() {
    var first = rightTo(PARTITION);
    first.close();
    try (var second = rightTo(PARTITION)) {
      first.close();

      assertThat(second).isNotNull();
      assertThat(epochs().tryToRecover(PARTITION)).isEmpty();
    }
  }

  @Test
  void recovery_can_raise_the_epoch_while_it_holds_the_right() {
    try (var right = rightTo(PARTITION)) {
      assertThat(right).isNotNull();
      assertThat(epochs().raise(PARTITION, new Epoch(1))).isTrue();
    }
    assertThat(epochs().current(PARTITION)).isEqualTo(new Epoch(1));
  }
}
