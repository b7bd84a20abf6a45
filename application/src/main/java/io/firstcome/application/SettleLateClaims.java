package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.EntryReference;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings late claims to their end: who has a row by now is done, the others get a slot from the
 * stock in today's epoch, the one they were promised if it is free, and a row. Where none is left
 * the claim is rejected. An archived coupon has no stock: there the rows say which slots are free.
 * One that the database refuses is set aside alone, and holds no other up. Claims of a coupon whose
 * code key this instance does not have stay for an instance that has it, and those of a coupon that
 * somebody else has locked until the lock is gone.
 */
public final class SettleLateClaims {

  private static final String ROUND = "settling late claims";

  /** Stands where a dead letter names its log entry: a late claim's is long gone. */
  private static final String NO_ENTRY = "late";

  private final CouponCatalog catalog;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final CouponStock stock;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final LockedCoupons lockedCoupons;
  private final KeepDeadLetters keepDeadLetters;
  private final RowArrivals arrivals;
  private final StockKeeper keeper;
  private final InstantSource clock;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;

  public SettleLateClaims(
      CouponCatalog catalog,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      CouponStock stock,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      LockedCoupons lockedCoupons,
      KeepDeadLetters keepDeadLetters,
      RowArrivals arrivals,
      StockKeeper keeper,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.stock = stock;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.lockedCoupons = lockedCoupons;
    this.keepDeadLetters = keepDeadLetters;
    this.arrivals = arrivals;
    this.keeper = keeper;
    this.clock = clock;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Settles one batch of the late claims of each coupon of the partition. Those of a coupon that
   * meets a fence or fails otherwise stay, and hold up no other coupon's. Running it in several
   * places at once is safe.
   *
   * @return late claims that came to their end
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is away; they stay
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away; they
   *     stay
   */
  public int settle(Partition partition) {
    int batch = Math.min(limits.lateClaimBatch(), stock.maxClaimsPerCall());
    var unlocked = lockedCoupons.of(partition);
    var locked = lockedCoupons.lockedNow(unlocked);
    unlocked.removeAll(locked);
    int settled = 0;
    CouponId last = null;
    for (var claims = lateClaims.next(partition, last, batch);
        !claims.isEmpty();
        claims = lateClaims.next(partition, last, batch)) {
      last = claims.getFirst().couponId();
      if (locked.contains(last)) {
        continue;
      }
      try {
        settled += settleOrPassOver(last, claims);
      } catch (DatabaseLockedException e) {
        observer.roundFailed(ROUND, e);
        lockedCoupons.add(partition, last);
        unlocked.remove(last);
      }
    }
    lockedCoupons.remove(unlocked);
    return settled;
  }

  private int settleOrPassOver(CouponId couponId, List<LateClaim> claims) {
    try {
      var coupon =
          catalog
              .find(couponId)
              .orElseThrow(
                  () -> new IllegalStateException("late claims without coupon " + couponId));
      return settle(coupon, claims);
    } catch (StockFencedException | StockContentException e) {
      observer.roundFailed(ROUND, e);
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.roundFailed(ROUND, e);
    }
    return 0;
  }

  private int settle(Coupon coupon, List<LateClaim> claims) {
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      observer.codeKeyMissing(coupon.id(), coupon.codeKeyVersion());
      return 0;
    }
    var owners = userCoupons.owners(coupon.id(), claims.stream().map(LateClaim::userId).toList());
    var done = new ArrayList<UserId>(owners);
    var open = claims.stream().filter(claim -> !owners.contains(claim.userId())).toList();

    var address = epochs.address(coupon);
    var epoch = epochOf(address);
    var outcomes = open.isEmpty() ? List.<AdoptOutcome>of() : adopt(coupon, address, open);
    var adopted = new ArrayList<AcceptedClaim>();
    var rejected = new ArrayList<UserId>();
    for (int i = 0; i < open.size(); i++) {
      var claim = open.get(i);
      switch (outcomes.get(i)) {
        case AdoptOutcome.Adopted(Slot slot) -> adopted.add(accepted(coupon, epoch, claim, slot));
        case AdoptOutcome.Rejected() -> rejected.add(claim.userId());
        case AdoptOutcome.GoneBack() -> done.add(claim.userId());
      }
    }
    Set<UserId> staying;
    try {
      staying =
          lateClaims.settle(
              coupon.partition(), epoch, coupon.id(), adopted, rejected, done, clock.instant());
    } catch (UnrecordableException e) {
      return isolate(coupon, claims, adopted);
    }
    if (staying.isEmpty()) {
      arrivals.announce(coupon.id(), adopted.stream().map(AcceptedClaim::userId).toList());
      observer.lateClaimsSettled(coupon.id(), adopted.size(), rejected.size(), done.size());
    } else if (catalog.isArchived(coupon)) {
      // Another instance has settled meanwhile, or a later epoch is to be learnt.
      keeper.lookNow();
    } else {
      keeper.requestRecovery(coupon.partition(), epoch);
    }
    return claims.size() - staying.size();
  }

  /** In which rows are written: the stock's, or the partition's where the stock knows none. */
  private Epoch epochOf(StockAddress address) {
    return switch (address.backend()) {
      case REDIS -> address.epoch();
      case POSTGRES -> epochs.of(address.partition());
    };
  }

  private List<AdoptOutcome> adopt(Coupon coupon, StockAddress address, List<LateClaim> open) {
    try {
      return stock.adopt(address, open);
    } catch (StockFencedException e) {
      if (catalog.isArchived(coupon)) {
        return archivedRows(coupon.id()).adopt(open);
      }
      throw e;
    }
  }

  /** With the quantity that it was archived with, which nobody raises any more. */
  private ArchivedRows archivedRows(CouponId couponId) {
    return new ArchivedRows(catalog.find(couponId).orElseThrow(), userCoupons, clock, limits);
  }

  /** Halves a batch that the database refuses until the claims at fault stand alone. */
  private int isolate(Coupon coupon, List<LateClaim> claims, List<AcceptedClaim> adopted) {
    if (claims.size() == 1) {
      adopted.forEach(this::setAside);
      return adopted.size();
    }
    int middle = claims.size() / 2;
    return settle(coupon, claims.subList(0, middle))
        + settle(coupon, claims.subList(middle, claims.size()));
  }

  /** With its slot in today's epoch, so that a replay can write the row and need not settle it. */
  private void setAside(AcceptedClaim claim) {
    var entry =
        new HandoffEntry(
            new EntryReference(claim.partition(), NO_ENTRY, claim.epoch()),
            claim.couponId(),
            claim.acceptedAt(),
            List.of(new SlotClaim(claim.userId(), claim.slot())));
    keepDeadLetters.keepSetAside(List.of(new SetAsideClaim(entry, SetAsideClaim.REFUSED)));
    lateClaims.settle(
        claim.partition(),
        claim.epoch(),
        claim.couponId(),
        List.of(),
        List.of(),
        List.of(claim.userId()),
        clock.instant());
  }

  private AcceptedClaim accepted(Coupon coupon, Epoch epoch, LateClaim claim, Slot slot) {
    return new AcceptedClaim(
        coupon.id(),
        claim.userId(),
        slot,
        coupon.partition(),
        epoch,
        claim.acceptedAt(),
        codeKeys.identityOf(coupon.codeKeyVersion(), coupon.id(), claim.userId()));
  }
}
