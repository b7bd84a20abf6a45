package io.firstcome.domain.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.FenceState.Kind;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class IssuanceValuesTest {

  @Test
  void slots_begin_at_1() {
    assertThat(new Slot(1)).isLessThan(new Slot(2));
    assertThatIllegalArgumentException().isThrownBy(() -> new Slot(0));
  }

  @Test
  void a_coupon_s_partition_is_the_crc_32_of_its_id_modulo_the_count() {
    // CRC-32 of "123456789" is 0xCBF43926, the check value of the algorithm's specification.
    assertThat(Partition.forNew(new CouponId("123456789"), 1_024))
        .isEqualTo(new Partition(0xCBF43926 & 1_023));
    assertThat(Partition.forNew(new CouponId("WELCOME2025"), 1)).isEqualTo(new Partition(0));
  }

  @Test
  void coupons_spread_over_all_partitions() {
    var seen = new HashSet<Partition>();
    for (int i = 0; i < 200; i++) {
      seen.add(Partition.forNew(new CouponId("COUPON-" + i), 8));
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(Partition.all(8));
  }

  @Test
  void a_fence_is_open_only_in_its_epoch_and_on_the_run_that_set_it() {
    var epoch = new Epoch(3);
    assertThat(new FenceState(Kind.OPEN, epoch, true).isOpenAt(epoch)).isTrue();
    assertThat(new FenceState(Kind.OPEN, epoch, false).isOpenAt(epoch)).isFalse();
    assertThat(new FenceState(Kind.OPEN, epoch, true).isOpenAt(epoch.next())).isFalse();
    assertThat(new FenceState(Kind.RECOVERING, epoch, true).isOpenAt(epoch)).isFalse();
    assertThat(new FenceState(Kind.MISSING, Epoch.NONE, true).isOpenAt(Epoch.NONE)).isFalse();
  }
}
