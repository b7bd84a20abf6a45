package io.firstcome.application;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import java.util.List;

/** What came of a look at one partition's fence, and of the recovery that it called for. */
public sealed interface Recovery {

  /**
   * The partition is open in that epoch: it was, or has been recovered.
   *
   * @param notRebuilt coupons whose rows or keys could not be read or written: their claims are
   *     refused, and all others are taken. Empty where the partition was open already
   */
  record Open(Epoch epoch, List<CouponId> notRebuilt) implements Recovery {

    public Open {
      notRebuilt = List.copyOf(notRebuilt);
    }

    Open(Epoch epoch) {
      this(epoch, List.of());
    }
  }

  /** Another instance is at it, or this one has as many under way as it may. */
  record Elsewhere() implements Recovery {}

  /** An operator has to decide; nothing was changed, and no claim of the partition is taken. */
  record Stopped(String reason) implements Recovery {}
}
