package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
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

  /** Nobody can claim a slot any more: what no row has is neither free nor lost. */
  ExactnessProof proof() {
    countAll();
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

  /**
   * Decides about late claims without a row as the stock would have: each gets the slot that it was
   * promised if no row has it, else the lowest that none has, else none.
   *
   * @return an outcome for each, in the same order
   */
  List<AdoptOutcome> adopt(List<LateClaim> claims) {
    countAll();
    return claims.stream().map(this::adopt).toList();
  }

  private AdoptOutcome adopt(LateClaim claim) {
    int total = coupon.definition().totalQuantity();
    int promised = claim.promised().number();
    boolean isFree = promised <= total && !used.get(promised);
    int slot = isFree ? promised : used.nextClearBit(1);
    if (slot > total) {
      return new AdoptOutcome.Rejected();
    }
    used.set(slot);
    return new AdoptOutcome.Adopted(new Slot(slot));
  }

  private void countAll() {
    Pages.<SlotOwner, SlotOwner>forEach(
        after -> userCoupons.slotOwners(coupon.id(), after, limits.pageSize()),
        owner -> owner,
        page -> page.stream().filter(SlotOwner::live).forEach(this::count));
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
