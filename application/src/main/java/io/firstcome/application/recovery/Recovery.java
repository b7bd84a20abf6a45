package io.firstcome.application.recovery;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import java.util.List;

/** The result of a check of one partition's fence, and of the recovery if one was needed. */
public sealed interface Recovery {

  /**
   * The partition is open in that epoch: it was open before, or has been recovered.
   *
   * @param notRebuilt coupons whose rows or keys could not be read or written: their claims are
   *     refused, and all others are accepted. Empty if the partition was open before
   */
  record Open(Epoch epoch, List<CouponId> notRebuilt) implements Recovery {

    public Open {
      notRebuilt = List.copyOf(notRebuilt);
    }

    public Open(Epoch epoch) {
      this(epoch, List.of());
    }
  }

  /** Another instance recovers the partition, or this one runs the maximum number of recoveries. */
  record Elsewhere() implements Recovery {}

  /** An operator has to decide; nothing was changed, and no claim of the partition is accepted. */
  record Stopped(String reason) implements Recovery {}
}
