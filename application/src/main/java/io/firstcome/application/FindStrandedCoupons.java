package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.CouponRepository;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds coupons whose stock is in a backend that this deployment does not have. A closed one counts
 * as well: claims that were accepted may still be on their way, and only that backend knows them.
 * When it is archived, the database knows all that there is.
 */
public final class FindStrandedCoupons {

  private static final int COUPONS_A_PAGE = 1_000;

  private final CouponRepository coupons;
  private final StockBackends backends;

  public FindStrandedCoupons(CouponRepository coupons, StockBackends backends) {
    this.coupons = coupons;
    this.backends = backends;
  }

  /**
   * Those there are, by id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  public Set<CouponId> find() {
    var stranded = new TreeSet<CouponId>();
    Pages.<Coupon, CouponId>forEach(
        after -> coupons.page(null, after, COUPONS_A_PAGE),
        Coupon::id,
        page -> addStranded(page, stranded));
    return stranded;
  }

  private void addStranded(List<Coupon> page, Set<CouponId> stranded) {
    page.stream()
        .filter(coupon -> !backends.present().contains(coupon.stockBackend()))
        .filter(coupon -> !isPutAway(coupon))
        .forEach(coupon -> stranded.add(coupon.id()));
  }

  private boolean isPutAway(Coupon coupon) {
    return coupon.status() == CouponStatus.ARCHIVED
        && coupons.isInStock(coupon.id(), coupon.revision());
  }
}
