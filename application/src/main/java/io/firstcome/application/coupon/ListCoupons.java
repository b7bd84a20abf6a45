package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator lists the coupons. */
public final class ListCoupons {

  private final CouponRepository coupons;

  public ListCoupons(CouponRepository coupons) {
    this.coupons = coupons;
  }

  /**
   * A page of coupons.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<Coupon> items, @Nullable CouponId next) {}

  /**
   * A page of the coupons as the database has them, ordered by id.
   *
   * @param status of the coupons, or null for any
   * @param after the {@code next} of the previous page, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Page page(@Nullable CouponStatus status, @Nullable CouponId after, int max) {
    var found = coupons.page(status, after, max + 1);
    var items = found.stream().limit(max).toList();
    return new Page(items, found.size() > max ? items.getLast().id() : null);
  }
}
