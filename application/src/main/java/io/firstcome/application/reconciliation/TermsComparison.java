package io.firstcome.application.reconciliation;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.util.Optional;

/**
 * Compares the terms that the stock has with those of the coupon's row, while operators change
 * them.
 *
 * <p>A change is committed to the row, then applied to the stock, then noted in the row as applied.
 * So the note is read first, then the stock, then the row. A stock that is behind the row means a
 * change in progress; one that is ahead of the row, or behind the note, is a discrepancy.
 */
final class TermsComparison {

  private TermsComparison() {}

  /** The discrepancy, if there is one. An archived coupon has none. */
  static Optional<Discrepancy> compare(
      Coupon coupon, StockAddress address, CouponStock stock, CouponRepository coupons) {
    boolean isNoted = coupons.isApplied(coupon.id(), coupon.revision());
    var inStock = stock.terms(address);
    return coupons
        .find(coupon.id())
        .filter(Coupon::hasStock)
        .map(StockTerms::of)
        .filter(inDatabase -> {
          boolean isUnderWay =
              inStock.revision() < inDatabase.revision()
                  && !(isNoted && inStock.revision() < coupon.revision());
          return !isUnderWay && !inStock.equals(inDatabase);
        })
        .map(inDatabase -> new Discrepancy.OtherTerms(inStock, inDatabase));
  }
}
