package io.firstcome.application.claim;

import io.firstcome.application.claim.ClaimAnswer.NotAdmittedReason;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.waitingroom.Admissions;
import io.firstcome.application.waitingroom.RoomTimes;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Whether the waiting room of a coupon lets a user claim it. A user who has claimed the coupon
 * before gets the same answer again without an admission, so the ledger is read for each user who
 * has no valid one.
 */
public final class AdmissionCheck {

  private final Admissions admissions;
  private final EarlierClaims earlierClaims;
  private final StockKeeper keeper;
  private final InstantSource clock;

  public AdmissionCheck(
      Admissions admissions, EarlierClaims earlierClaims, StockKeeper keeper, InstantSource clock) {
    this.admissions = admissions;
    this.earlierClaims = earlierClaims;
    this.keeper = keeper;
    this.clock = clock;
  }

  /** What becomes of a claim. */
  sealed interface Result {

    /** The user can claim the coupon; also if it has no waiting room. */
    record Admitted() implements Result {}

    /** The ledger has a mark of the user. */
    record Claimed(LedgerMark mark) implements Result {}

    /** The claim is not sent to the stock. */
    record Answered(ClaimAnswer answer) implements Result {}
  }

  /**
   * Checks the admission, and blocks while the ledger is read.
   *
   * @param admission the text that the user presents, or null
   */
  Result check(Coupon coupon, UserId user, @Nullable String admission) throws InterruptedException {
    if (coupon.definition().waitingRoom() == null) {
      return new Result.Admitted();
    }
    return switch (admissions.check(coupon, user, admission)) {
      case VALID -> new Result.Admitted();
      case NOT_READ -> earlierOr(new ClaimAnswer.Recovering(), coupon, user);
      case MISSING -> earlierOr(notAdmitted(NotAdmittedReason.MISSING), coupon, user);
      case INVALID -> earlierOr(notAdmitted(NotAdmittedReason.INVALID), coupon, user);
      case EXPIRED -> earlierOr(notAdmitted(NotAdmittedReason.EXPIRED), coupon, user);
    };
  }

  private static ClaimAnswer notAdmitted(NotAdmittedReason reason) {
    return new ClaimAnswer.NotAdmitted(reason);
  }

  private Result earlierOr(ClaimAnswer otherwise, Coupon coupon, UserId user)
      throws InterruptedException {
    try {
      return switch (earlierClaims.find(coupon, user).toCompletableFuture().get()) {
        case EarlierClaims.Found.Marked(LedgerMark mark) -> new Result.Claimed(mark);
        case EarlierClaims.Found.NoMark() ->
            new Result.Answered(
                RoomTimes.hasEnded(coupon, clock.instant())
                    ? new ClaimAnswer.Refused(new ClaimOutcome.Closed())
                    : otherwise);
        case EarlierClaims.Found.Busy() -> new Result.Answered(new ClaimAnswer.Overloaded());
      };
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StockUnavailableException) {
        keeper.checkNow();
        // Whatever became of the call: it only reads.
        return new Result.Answered(new ClaimAnswer.Recovering());
      }
      throw new IllegalStateException("reading the ledger in groups failed", e);
    }
  }
}
