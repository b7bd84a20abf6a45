package io.firstcome.application.reconciliation;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.SlotSet;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The rows of an archived coupon, which has neither stock nor log to be compared with. */
public final class ArchivedRows {

  private final Coupon coupon;
  private final UserCouponRepository userCoupons;
  private final InstantSource clock;
  private final ComparisonLimits limits;

  private final SlotSet used = new SlotSet();
  private final List<Discrepancy> discrepancies = new ArrayList<>();
  private long extra;

  public ArchivedRows(
      Coupon coupon,
      UserCouponRepository userCoupons,
      InstantSource clock,
      ComparisonLimits limits) {
    this.coupon = coupon;
    this.userCoupons = userCoupons;
    this.clock = clock;
    this.limits = limits;
  }

  /**
   * The proof from the rows. A slot without a row is neither free nor lost, since it cannot be
   * claimed.
   *
   * @param removed how many rows were removed after their retention
   */
  public ExactnessProof proof(int removed) {
    countAll();
    return new ExactnessProof(
        coupon.definition().totalQuantity(),
        used.size(),
        0,
        0,
        0,
        extra,
        0,
        userCoupons.duplicateUsers(coupon.id()),
        Duration.ZERO,
        removed,
        0,
        discrepancies,
        clock.instant());
  }

  /**
   * Adopts late claims without a row as the stock would: each gets its promised slot if no row has
   * it, else the lowest slot without a row, else none.
   *
   * @return an outcome for each, in the same order
   */
  public List<AdoptOutcome> adopt(List<LateClaim> claims) {
    countAll();
    return claims.stream().map(this::adopt).toList();
  }

  private AdoptOutcome adopt(LateClaim claim) {
    int total = coupon.definition().totalQuantity();
    var promised = claim.promised();
    boolean isFree = promised.number() <= total && !used.contains(promised);
    var slot = isFree ? promised : used.lowestAbsent();
    if (slot.number() > total) {
      return new AdoptOutcome.Rejected();
    }
    used.add(slot);
    return new AdoptOutcome.Adopted(slot);
  }

  private void countAll() {
    Pages.<SlotOwner, SlotOwner>forEach(
        after -> userCoupons.slotOwners(coupon.id(), after, limits.rowPage()),
        owner -> owner,
        page -> page.stream().filter(SlotOwner::live).forEach(this::count));
  }

  private void count(SlotOwner owner) {
    used.add(owner.slot());
    if (owner.slot().number() > coupon.definition().totalQuantity()) {
      extra++;
      if (discrepancies.size() < limits.discrepanciesNamed()) {
        discrepancies.add(new Discrepancy.SlotOutOfRange(owner.userId(), owner.slot()));
      }
    }
  }
}
