package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.UserCouponRepository;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The rows of an archived coupon, which has neither stock nor log to be compared with. */
final class ArchivedRows {

  private final Coupon coupon;
  private final UserCouponRepository userCoupons;
  private final InstantSource clock;
  private final ApplicationLimits limits;

  private final BitSet used = new BitSet();
  private final List<Discrepancy> discrepancies = new ArrayList<>();
  private long extra;

  ArchivedRows(
      Coupon coupon,
      UserCouponRepository userCoupons,
      InstantSource clock,
      ApplicationLimits limits) {
    this.coupon = coupon;
    this.userCoupons = userCoupons;
    this.clock = clock;
    this.limits = limits;
  }

  /** Nobody gets a slot any more: what no row has is neither free nor lost. */
  ExactnessProof proof() {
    Pages.<SlotOwner, SlotOwner>forEach(
        after -> userCoupons.slotOwners(coupon.id(), after, limits.pageSize()),
        owner -> owner,
        page -> page.stream().filter(SlotOwner::live).forEach(this::count));
    return new ExactnessProof(
        coupon.definition().totalQuantity(),
        used.cardinality(),
        0,
        0,
        0,
        extra,
        0,
        userCoupons.duplicateUsers(coupon.id()),
        Duration.ZERO,
        0,
        discrepancies,
        clock.instant());
  }

  private void count(SlotOwner owner) {
    used.set(owner.slot().number());
    if (owner.slot().number() > coupon.definition().totalQuantity()) {
      extra++;
      if (discrepancies.size() < limits.discrepanciesTold()) {
        discrepancies.add(new Discrepancy.SlotOutOfRange(owner.userId(), owner.slot()));
      }
    }
  }
}
