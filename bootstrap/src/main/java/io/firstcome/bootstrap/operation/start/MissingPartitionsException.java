package io.firstcome.bootstrap.operation.start;

import io.firstcome.application.stock.FindCouponsBeyondPartitions.Beyond;
import io.firstcome.bootstrap.refusal.RefusedStartException;
import io.firstcome.domain.coupon.CouponId;
import java.util.stream.Collectors;

/** Thrown if coupons or late claims are in partitions that this deployment does not have. */
final class MissingPartitionsException extends RefusedStartException {

  private static final long serialVersionUID = 1L;

  private static final int NAMED_MAX = 10;

  MissingPartitionsException(int partitions, Beyond beyond) {
    super(
        ("firstcome.partitions=%d refuses to start: %s in partitions from %d on."
                + " Set firstcome.partitions to %d or more, or archive them first")
            .formatted(partitions, found(beyond), partitions, beyond.needed()));
  }

  private static String found(Beyond beyond) {
    int count = beyond.coupons().size();
    if (count == 0) {
      return "late claims are";
    }
    return "%s%d %s (%s%s)"
        .formatted(
            beyond.more() ? "at least " : "",
            count,
            count == 1 ? "coupon is" : "coupons are",
            beyond.coupons().stream()
                .limit(NAMED_MAX)
                .map(CouponId::value)
                .collect(Collectors.joining(", ")),
            count > NAMED_MAX ? ", …" : "");
  }
}
