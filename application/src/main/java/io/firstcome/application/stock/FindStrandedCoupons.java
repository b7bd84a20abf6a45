package io.firstcome.application.stock;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.CouponRepository;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds coupons whose stock is in a backend that this deployment does not have. A closed one counts
 * as well: accepted claims may not be recorded yet, and only that backend has them. Once it is
 * archived, the database has everything.
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
   * The stranded coupons, ordered by id.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Set<CouponId> find() {
    var stranded = new TreeSet<CouponId>();
    Pages.<StoredCoupon, CouponId>forEach(
        after -> coupons.page(null, after, COUPONS_A_PAGE),
        stored -> stored.coupon().id(),
        page -> addStranded(page.stream().map(StoredCoupon::coupon).toList(), stranded));
    return stranded;
  }

  private void addStranded(List<Coupon> page, Set<CouponId> stranded) {
    page.stream()
        .filter(coupon -> !backends.present().contains(coupon.stockBackend()))
        .filter(coupon -> !isArchivedAndRemoved(coupon))
        .forEach(coupon -> stranded.add(coupon.id()));
  }

  private boolean isArchivedAndRemoved(Coupon coupon) {
    return coupon.status() == CouponStatus.ARCHIVED
        && coupons.isApplied(coupon.id(), coupon.revision());
  }
}
