package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists coupons: all of them for operators, and for customers those that they may see. */
public final class ListCoupons {

  private final CouponRepository coupons;
  private final ReadCoupon readCoupon;
  private final InstantSource clock;

  public ListCoupons(CouponRepository coupons, ReadCoupon readCoupon, InstantSource clock) {
    this.coupons = coupons;
    this.readCoupon = readCoupon;
    this.clock = clock;
  }

  /**
   * A page of coupons.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Page(List<ReadCoupon.View> items, @Nullable CouponId next) {}

  /**
   * A page of ids.
   *
   * @param next the {@code after} of the next page, or null where this one is the last
   */
  public record Listed(List<CouponId> ids, @Nullable CouponId next) {}

  /**
   * A page of the coupons that everybody sees, which are published and not archived, ordered by id.
   *
   * @param after the {@code next} of the previous page, or null
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Listed listed(@Nullable CouponId after, int max) {
    var found = coupons.listed(after, max + 1);
    var ids = found.stream().limit(max).toList();
    return new Listed(ids, found.size() > max ? ids.getLast() : null);
  }

  /**
   * A page of a section.
   *
   * @param hasMore whether there are coupons after it
   */
  public record SectionPage(List<ReadCoupon.View> items, boolean hasMore) {}

  /**
   * A page of a section of the coupons as the database has them.
   *
   * @param text that the id or the name contains, in any case; empty for all
   * @param skipped coupons of earlier pages
   * @param max 1 or more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public SectionPage section(CouponSection section, String text, int skipped, int max) {
    var found = coupons.ofSection(section, clock.instant(), text, skipped, max + 1);
    return new SectionPage(
        readCoupon.views(found.stream().limit(max).toList()), found.size() > max);
  }

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
    return new Page(
        readCoupon.views(items), found.size() > max ? items.getLast().coupon().id() : null);
  }
}
