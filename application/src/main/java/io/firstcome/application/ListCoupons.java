package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator looks through the coupons. */
public final class ListCoupons {

  private final CouponRepository coupons;

  public ListCoupons(CouponRepository coupons) {
    this.coupons = coupons;
  }

  /**
   * Some of the coupons.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<Coupon> items, @Nullable CouponId next) {}

  /**
   * A page of the coupons, by id, as the database has them.
   *
   * @param status that they have, or null for any
   * @param after the {@code next} of the page before, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public Page page(@Nullable CouponStatus status, @Nullable CouponId after, int max) {
    var found = coupons.page(status, after, max + 1);
    var items = found.stream().limit(max).toList();
    return new Page(items, found.size() > max ? items.getLast().id() : null);
  }
}
