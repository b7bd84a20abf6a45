package io.firstcome.application.recording;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.reconciliation.ArchivedRows;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockLeasedException;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Settles late claims: a user who has a row by now is done, the others get a slot from the stock in
 * the current epoch, the promised one if it is free, and a row. If no slot is left, the claim is
 * rejected. An archived coupon has no stock: its rows show which slots are free. A claim that the
 * database rejects is set aside alone, and does not delay others. Claims of a coupon whose code key
 * this instance does not have stay for an instance that has it, and those of a locked coupon stay
 * until the lock is released. While leases on "sold out" may be in use, claims of users without a
 * mark in the ledger stay.
 */
public final class SettleLateClaims {

  private static final String ROUND = "settling late claims";

  /** The entry id in the dead letter of a late claim, whose log entry is removed. */
  private static final String NO_ENTRY = "late";

  private final CouponCatalog catalog;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final CouponStock stock;
  private final EndLeases endLeases;
  private final UserCouponRepository userCoupons;
  private final LateClaimRepository lateClaims;
  private final LockedCoupons lockedCoupons;
  private final KeepDeadLetters keepDeadLetters;
  private final RowArrivals arrivals;
  private final StockKeeper keeper;
  private final Function<Coupon, ArchivedRows> archivedRows;
  private final InstantSource clock;
  private final RecordingLimits limits;
  private final IssuanceObserver observer;

  /**
   * @param archivedRows finds the rows of an archived coupon, which has no stock
   */
  public SettleLateClaims(
      CouponCatalog catalog,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      CouponStock stock,
      EndLeases endLeases,
      UserCouponRepository userCoupons,
      LateClaimRepository lateClaims,
      LockedCoupons lockedCoupons,
      KeepDeadLetters keepDeadLetters,
      RowArrivals arrivals,
      StockKeeper keeper,
      Function<Coupon, ArchivedRows> archivedRows,
      InstantSource clock,
      RecordingLimits limits,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.stock = stock;
    this.endLeases = endLeases;
    this.userCoupons = userCoupons;
    this.lateClaims = lateClaims;
    this.lockedCoupons = lockedCoupons;
    this.keepDeadLetters = keepDeadLetters;
    this.arrivals = arrivals;
    this.keeper = keeper;
    this.archivedRows = archivedRows;
    this.clock = clock;
    this.limits = limits;
    this.observer = observer;
  }

  /**
   * Settles one batch of the late claims of each coupon of the partition. Those of a coupon whose
   * call is fenced or fails otherwise stay, and do not delay other coupons. Concurrent calls are
   * safe.
   *
   * @return the number of settled late claims
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock is not reachable; they
   *     stay
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable;
   *     they stay
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
        settled += settleOrSkip(last, claims);
      } catch (DatabaseLockedException e) {
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
        lockedCoupons.add(partition, last);
        unlocked.remove(last);
      }
    }
    lockedCoupons.remove(unlocked);
    return settled;
  }

  private int settleOrSkip(CouponId couponId, List<LateClaim> claims) {
    try {
      return settle(coupon(couponId), claims);
    } catch (StockLeasedException e) {
      endLeases.endLater(coupon(couponId));
    } catch (StockFencedException | StockContentException e) {
      observer.observe(new OperationObservation.RoundFailed(ROUND, e));
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.observe(new OperationObservation.RoundFailed(ROUND, e));
    }
    return 0;
  }

  private Coupon coupon(CouponId couponId) {
    return catalog
        .ofAcceptedClaim(couponId)
        .orElseThrow(() -> new IllegalStateException("late claims without coupon " + couponId));
  }

  private int settle(Coupon coupon, List<LateClaim> claims) {
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      observer.observe(new ClaimObservation.CodeKeyMissing(coupon.id(), coupon.codeKeyVersion()));
      return 0;
    }
    var owners = owners(coupon, claims);
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
    var settlement =
        new LateClaimSettlement(
            coupon.partition(), epoch, coupon.id(), adopted, rejected, done, clock.instant());
    Set<UserId> staying;
    try {
      staying = lateClaims.settle(settlement);
    } catch (UnrecordableException e) {
      return isolate(coupon, claims, adopted);
    }
    if (staying.isEmpty()) {
      arrivals.announce(coupon.id(), adopted.stream().map(AcceptedClaim::userId).toList());
      observer.observe(
          new RecordingObservation.LateClaimsSettled(
              coupon.id(), adopted.size(), rejected.size(), done.size()));
    } else if (catalog.isArchived(coupon)) {
      // Another instance has settled them, or there is a later epoch.
      keeper.checkNow();
    } else {
      keeper.requestRecovery(coupon.partition(), epoch);
    }
    return claims.size() - staying.size();
  }

  /** Users with a row, also if they were erased since. */
  private Set<UserId> owners(Coupon coupon, List<LateClaim> claims) {
    var pseudonyms = codeKeys.pseudonyms(coupon.codeKeyVersion());
    var users = claims.stream().map(LateClaim::userId).toList();
    var withPseudonyms = Stream.concat(users.stream(), users.stream().map(pseudonyms::of)).toList();
    var owners = userCoupons.owners(coupon.id(), withPseudonyms);
    return users.stream()
        .filter(user -> owners.contains(user) || owners.contains(pseudonyms.of(user)))
        .collect(Collectors.toSet());
  }

  /** The epoch in which rows are written: the stock's, or the partition's if the stock has none. */
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

  /** The rows with the quantity at archiving, which cannot be raised any more. */
  private ArchivedRows archivedRows(CouponId couponId) {
    return archivedRows.apply(coupon(couponId));
  }

  /** Halves a batch that the database rejects until each invalid claim is alone. */
  private int isolate(Coupon coupon, List<LateClaim> claims, List<AcceptedClaim> adopted) {
    if (claims.size() == 1) {
      adopted.forEach(this::setAside);
      return adopted.size();
    }
    int middle = claims.size() / 2;
    return settle(coupon, claims.subList(0, middle))
        + settle(coupon, claims.subList(middle, claims.size()));
  }

  /**
   * Sets the claim aside with its slot in the current epoch, so that a replay can write the row.
   */
  private void setAside(AcceptedClaim claim) {
    var entry =
        new HandoffEntry(
            new EntryReference(claim.partition(), NO_ENTRY, claim.epoch()),
            claim.couponId(),
            claim.acceptedAt(),
            List.of(new SlotClaim(claim.userId(), claim.slot())));
    keepDeadLetters.keepSetAside(List.of(new SetAsideClaim(entry, SetAsideClaim.REFUSED)));
    lateClaims.settle(
        new LateClaimSettlement(
            claim.partition(),
            claim.epoch(),
            claim.couponId(),
            List.of(),
            List.of(),
            List.of(claim.userId()),
            clock.instant()));
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
