package io.firstcome.application.claim;

import io.firstcome.application.claim.ClaimAnswer.RowState;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.recording.RowArrivals;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.soldout.RefuseSoldOut;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A customer claims a coupon. */
public final class ClaimCoupon {

  private final CouponCatalog catalog;
  private final GroupCommit groupCommit;
  private final RefuseSoldOut refuseSoldOut;
  private final AdmissionCheck admissionCheck;
  private final CodeKeys codeKeys;
  private final RowStates rowStates;
  private final FindClaim findClaim;
  private final RowArrivals arrivals;
  private final StockKeeper keeper;
  private final IssuanceObserver observer;

  public ClaimCoupon(
      CouponCatalog catalog,
      GroupCommit groupCommit,
      RefuseSoldOut refuseSoldOut,
      AdmissionCheck admissionCheck,
      CodeKeys codeKeys,
      UserCouponRepository userCoupons,
      FindClaim findClaim,
      RowArrivals arrivals,
      StockKeeper keeper,
      ClaimLimits limits,
      InstantSource clock,
      IssuanceObserver observer) {
    this.catalog = catalog;
    this.groupCommit = groupCommit;
    this.refuseSoldOut = refuseSoldOut;
    this.admissionCheck = admissionCheck;
    this.codeKeys = codeKeys;
    this.rowStates = new RowStates(userCoupons, limits, clock);
    this.findClaim = findClaim;
    this.arrivals = arrivals;
    this.keeper = keeper;
    this.observer = observer;
  }

  /**
   * Claims the coupon for the user, and blocks until the answer is known.
   *
   * @param admission the text that the coupon's waiting room gave to the user, if it has one, or
   *     null. A user who has the coupon gets the same answer again without one
   * @throws DatabaseUnavailableException if this instance does not know the coupon yet, or the
   *     coupon is archived, and the database is not reachable; nothing happened
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon is archived, the
   *     claim has no row yet, and this instance does not have the coupon's key; nothing happened
   * @throws InterruptedException if the thread was interrupted; the claim may have been accepted
   */
  public ClaimAnswer claim(CouponId couponId, UserId user, @Nullable String admission)
      throws InterruptedException {
    var coupon = catalog.find(couponId).orElse(null);
    if (coupon == null) {
      return new ClaimAnswer.UnknownCoupon();
    }
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return ofArchived(coupon, user);
    }
    if (!codeKeys.isInstalled(coupon.codeKeyVersion())) {
      // Before the stock is called: without the key, an allocated slot could not be answered.
      observer.observe(new ClaimObservation.CodeKeyMissing(couponId, coupon.codeKeyVersion()));
      return new ClaimAnswer.Recovering();
    }
    return switch (admissionCheck.check(coupon, user, admission)) {
      case AdmissionCheck.Result.Admitted() -> claimAdmitted(coupon, user);
      case AdmissionCheck.Result.Claimed(LedgerMark mark) -> answer(coupon, user, mark);
      case AdmissionCheck.Result.Answered(ClaimAnswer answer) -> answer;
    };
  }

  private ClaimAnswer claimAdmitted(Coupon coupon, UserId user) throws InterruptedException {
    if (refuseSoldOut.refuses(coupon, user)) {
      return new ClaimAnswer.Refused(new ClaimOutcome.SoldOut());
    }
    return answer(coupon, user, groupCommit.claim(coupon, user).toCompletableFuture());
  }

  /**
   * Waits for the row of an accepted claim.
   *
   * @param answer to the claim
   * @param limit how long to wait
   * @return the answer with the row if it was recorded in time, else the given one
   * @throws InterruptedException if the thread was interrupted
   */
  public ClaimAnswer awaitRow(CouponId couponId, UserId user, ClaimAnswer answer, Duration limit)
      throws InterruptedException {
    return switch (answer) {
      case ClaimAnswer.Accepted(UserCouponIdentity identity, Slot slot)
          when arrivals.await(couponId, user, limit) ->
          new ClaimAnswer.Issued(identity, slot);
      case ClaimAnswer.AlreadyClaimed(UserCouponIdentity identity, Slot slot, RowState state)
          when state == RowState.ACCEPTED && arrivals.await(couponId, user, limit) ->
          new ClaimAnswer.AlreadyClaimed(identity, slot, RowState.ISSUED);
      default -> answer;
    };
  }

  private ClaimAnswer answer(Coupon coupon, UserId user, LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds(Slot slot) -> alreadyIssued(coupon, user, slot);
      case LedgerMark.GaveBack _ -> new ClaimAnswer.Refused(new ClaimOutcome.Returned());
      case LedgerMark.WasRejected _ -> new ClaimAnswer.Refused(new ClaimOutcome.Rejected());
    };
  }

  /** Waits for the outcome of a claim that was sent, and converts it to an answer. */
  public ClaimAnswer answer(Coupon coupon, UserId user, Future<ClaimOutcome> outcome)
      throws InterruptedException {
    try {
      return answer(coupon, user, outcome.get());
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case StockUnavailableException unavailable -> answer(coupon, user, unavailable);
        case null, default -> throw new IllegalStateException("group commit failed", e);
      };
    }
  }

  private ClaimAnswer answer(Coupon coupon, UserId user, ClaimOutcome outcome) {
    return switch (outcome) {
      case ClaimOutcome.Accepted(Slot slot) ->
          new ClaimAnswer.Accepted(identity(coupon, user), slot);
      case ClaimOutcome.Issued(Slot slot) -> new ClaimAnswer.Issued(identity(coupon, user), slot);
      case ClaimOutcome.AlreadyIssued(Slot slot) -> alreadyIssued(coupon, user, slot);
      case ClaimOutcome.Busy(), ClaimOutcome.Repeat() -> new ClaimAnswer.Overloaded();
      case ClaimOutcome.Withheld() -> new ClaimAnswer.Refused(new ClaimOutcome.SoldOut());
      case ClaimOutcome.SoldOut soldOut -> {
        refuseSoldOut.refusedByStock(coupon);
        yield new ClaimAnswer.Refused(soldOut);
      }
      case ClaimOutcome.Refusal refusal -> new ClaimAnswer.Refused(refusal);
    };
  }

  private ClaimAnswer answer(Coupon coupon, UserId user, StockUnavailableException unavailable) {
    if (unavailable instanceof StockFencedException) {
      try {
        if (catalog.isArchived(coupon)) {
          return ofArchived(coupon, user);
        }
      } catch (DatabaseUnavailableException e) {
        // Archived or not, nothing happened.
        return new ClaimAnswer.Recovering();
      }
      keeper.checkNow();
    }
    return switch (unavailable.effect()) {
      case NONE -> new ClaimAnswer.Recovering();
      case UNKNOWN -> new ClaimAnswer.OutcomeUnknown();
    };
  }

  /**
   * The answer for an archived coupon, which has no stock: that of a closed one, from the database.
   */
  public ClaimAnswer ofArchived(Coupon coupon, UserId user) {
    return switch (findClaim.find(coupon.id(), user)) {
      case FindClaim.Result.Recorded(UserCoupon row) ->
          RowStates.of(row)
              .<ClaimAnswer>map(
                  state -> new ClaimAnswer.AlreadyClaimed(row.identity(), row.slot(), state))
              .orElseGet(() -> new ClaimAnswer.Refused(new ClaimOutcome.Returned()));
      case FindClaim.Result.Accepted(UserCouponIdentity identity, Slot slot) ->
          new ClaimAnswer.AlreadyClaimed(identity, slot, RowState.ACCEPTED);
      case FindClaim.Result.Returned() -> new ClaimAnswer.Refused(new ClaimOutcome.Returned());
      case FindClaim.Result.Rejected() -> new ClaimAnswer.Refused(new ClaimOutcome.Rejected());
      case FindClaim.Result.None() -> new ClaimAnswer.Refused(new ClaimOutcome.Closed());
      case FindClaim.Result.UnknownCoupon() -> new ClaimAnswer.UnknownCoupon();
    };
  }

  /**
   * If the slots of the coupon do not go back to stock, the ledger still has the user's mark after
   * a return or revocation; only the row shows it.
   */
  private ClaimAnswer alreadyIssued(Coupon coupon, UserId user, Slot slot) {
    return rowStates
        .read(coupon.id(), user)
        .<ClaimAnswer>map(state ->
            new ClaimAnswer.AlreadyClaimed(
                identity(coupon, user), slot, atLeastRecorded(coupon, state)))
        .orElseGet(() -> new ClaimAnswer.Refused(new ClaimOutcome.Returned()));
  }

  /** The mark of a stock in the database is the row. */
  private static RowState atLeastRecorded(Coupon coupon, RowState state) {
    return state == RowState.NOT_KNOWN && coupon.stockBackend() == StockBackend.POSTGRES
        ? RowState.RECORDED
        : state;
  }

  private UserCouponIdentity identity(Coupon coupon, UserId user) {
    return codeKeys.identityOf(coupon.codeKeyVersion(), coupon.id(), user);
  }
}
