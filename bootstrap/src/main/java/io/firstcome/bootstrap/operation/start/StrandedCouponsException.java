package io.firstcome.bootstrap.operation.start;

import io.firstcome.bootstrap.refusal.RefusedStartException;
import io.firstcome.domain.coupon.CouponId;
import java.util.Set;
import java.util.stream.Collectors;

/** Thrown if coupons have their stock in Redis, which this deployment does not have. */
final class StrandedCouponsException extends RefusedStartException {

  private static final long serialVersionUID = 1L;

  private static final int NAMED_MAX = 10;

  StrandedCouponsException(Set<CouponId> coupons) {
    super(
        "firstcome.stock=postgres refuses to start: %d coupons have their stock in Redis (%s%s)."
                .formatted(
                    coupons.size(),
                    coupons.stream()
                        .limit(NAMED_MAX)
                        .map(CouponId::value)
                        .collect(Collectors.joining(", ")),
                    coupons.size() > NAMED_MAX ? ", …" : "")
            + " Close and archive them with firstcome.stock=redis first");
  }
}
