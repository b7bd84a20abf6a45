package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockFencedException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Looks what of a closed coupon only its stock knows, or is on its way to or from it.
 *
 * <p>The stock that is looked at must be closed itself, or it gives slots behind the look: it is
 * told so once more, since who noted that it had been told may have spoken to another server. And
 * it must be that of the database's epoch, or the claims may be elsewhere: an instance that has
 * slept through a recovery may see a master that was left. A stock that is the rows is what the
 * database says, and has no epoch.
 */
public final class LookWhatIsOpen {

  private final CouponRepository coupons;
  private final BringToStock bringToStock;
  private final KnownEpochs knownEpochs;
  private final PartitionEpochs epochs;
  private final ProveExactness proveExactness;
  private final LateClaimRepository lateClaims;
  private final SlotReturns slotReturns;

  public LookWhatIsOpen(
      CouponRepository coupons,
      BringToStock bringToStock,
      KnownEpochs knownEpochs,
      PartitionEpochs epochs,
      ProveExactness proveExactness,
      LateClaimRepository lateClaims,
      SlotReturns slotReturns) {
    this.coupons = coupons;
    this.bringToStock = bringToStock;
    this.knownEpochs = knownEpochs;
    this.epochs = epochs;
    this.proveExactness = proveExactness;
    this.lateClaims = lateClaims;
    this.slotReturns = slotReturns;
  }

  /** What keeps a closed coupon from being archived. */
  public enum Open {
    /** The stock is not known to have the closing. */
    CLOSING,
    /** Accepted claims are on their way to the database. */
    UNRECORDED_CLAIMS,
    /** Stock, log and database disagree; the proof names where. */
    DISCREPANCIES,
    /** Accepted claims wait for a slot. */
    LATE_CLAIMS,
    /** Slots are on their way back to stock. */
    SLOT_RETURNS
  }

  /**
   * Looks once; where the closing is missing, nothing else is worth a look.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock could not be asked, or
   *     was recovered meanwhile
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database could not be
   *     asked
   */
  Set<Open> look(Coupon closed) {
    if (!coupons.isInStock(closed.id(), closed.revision())) {
      return EnumSet.of(Open.CLOSING);
    }
    var address = knownEpochs.address(closed);
    if (!bringToStock.ensure(closed).equals(closed)) {
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
    if (!epochs.current(closed.partition()).equals(address.epoch())) {
      throw new StockFencedException("the stock that was looked at is not of today's epoch");
    }
    return open;
  }
}
