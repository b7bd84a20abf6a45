package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;

/**
 * Where a coupon's stock is and which generation of it the caller means. A backend whose stock is
 * of another epoch refuses the call, so a caller that slept through a recovery can do no harm.
 */
public record StockAddress(CouponId couponId, Partition partition, Epoch epoch) {}
