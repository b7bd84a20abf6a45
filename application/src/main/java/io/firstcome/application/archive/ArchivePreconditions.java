package io.firstcome.application.archive;

import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockFencedException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Checks what data of a closed coupon only its stock has, or is in transit to or from it.
 *
 * <p>The checked stock must be closed itself, or it allocates slots after the check: the closing is
 * applied once more, since the instance that noted it may have used another server. And the stock
 * must have the database's epoch, or the claims may be elsewhere: an instance that missed a
 * recovery may see a former master. A stock in the database has no epoch.
 */
public final class ArchivePreconditions {

  private final CouponRepository coupons;
  private final StockSync stockSync;
  private final KnownEpochs knownEpochs;
  private final PartitionEpochs epochs;
  private final ProveExactness proveExactness;
  private final LateClaimRepository lateClaims;
  private final SlotReturns slotReturns;

  public ArchivePreconditions(
      CouponRepository coupons,
      StockSync stockSync,
      KnownEpochs knownEpochs,
      PartitionEpochs epochs,
      ProveExactness proveExactness,
      LateClaimRepository lateClaims,
      SlotReturns slotReturns) {
    this.coupons = coupons;
    this.stockSync = stockSync;
    this.knownEpochs = knownEpochs;
    this.epochs = epochs;
    this.proveExactness = proveExactness;
    this.lateClaims = lateClaims;
    this.slotReturns = slotReturns;
  }

  /** What keeps a closed coupon from being archived. */
  public enum Open {
    /** The closing is not known to be applied to the stock. */
    CLOSING,
    /** Accepted claims are not recorded yet. */
    UNRECORDED_CLAIMS,
    /** Stock, log and database disagree; the proof names the discrepancies. */
    DISCREPANCIES,
    /** Late claims are not settled yet. */
    LATE_CLAIMS,
    /** Returned slots are not released yet. */
    SLOT_RETURNS,
    /** Another coupon of its campaign can be claimed, which needs the ledger of this one. */
    CAMPAIGN
  }

  /**
   * Checks once; if the closing is missing, nothing else is checked.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable, or
   *     was recovered meanwhile
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  Set<Open> look(Coupon closed) {
    if (!coupons.isApplied(closed.id(), closed.revision())) {
      return EnumSet.of(Open.CLOSING);
    }
    var address = knownEpochs.address(closed);
    if (!stockSync.ensure(closed).equals(closed)) {
      return EnumSet.of(Open.CLOSING);
    }
    var open = EnumSet.noneOf(Open.class);
    var proof = proveExactness.prove(closed);
    if (proof.unrecorded() > 0) {
      open.add(Open.UNRECORDED_CLAIMS);
    }
    if (!proof.agrees()) {
      open.add(Open.DISCREPANCIES);
    }
    if (!lateClaims.page(closed.id(), null, 1).isEmpty()) {
      open.add(Open.LATE_CLAIMS);
    }
    if (slotReturns.isPending(closed.id())) {
      open.add(Open.SLOT_RETURNS);
    }
    if (closed.stockBackend() == StockBackend.POSTGRES) {
      return open;
    }
    if (!campaignIsClosed(closed)) {
      open.add(Open.CAMPAIGN);
    }
    if (!epochs.current(closed.partition()).equals(address.epoch())) {
      throw new StockFencedException("the checked stock does not have the current epoch");
    }
    return open;
  }

  /** A coupon that is closed stays closed, and a draft can be published later. */
  private boolean campaignIsClosed(Coupon closed) {
    var campaign = closed.campaign();
    return campaign == null || campaign.others(closed.id()).stream().allMatch(this::isClosed);
  }

  private boolean isClosed(CouponId couponId) {
    try {
      return coupons.find(couponId).map(this::isClosed).orElse(true);
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // A row that cannot be read may be that of a coupon which can be claimed.
      return false;
    }
  }

  private boolean isClosed(Coupon other) {
    return switch (other.status()) {
      case DRAFT, ACTIVE, PAUSED -> false;
      case CLOSED -> coupons.isApplied(other.id(), other.revision());
      case ARCHIVED -> true;
    };
  }
}
