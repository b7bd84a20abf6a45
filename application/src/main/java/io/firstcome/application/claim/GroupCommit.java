package io.firstcome.application.claim;

import io.firstcome.application.lane.LaneCalls;
import io.firstcome.application.lane.Lanes;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.ClaimObservation;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Sends claims to the stock backend in groups ({@link Lanes}), for any backend. */
public final class GroupCommit {

  private final Function<Coupon, CouponStock> stockOf;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final IssuanceObserver observer;
  private final Lanes<ClaimOutcome> lanes;

  /**
   * @param stockOf finds the stock of a coupon, which never changes
   * @param executor as in {@link Lanes}
   */
  public GroupCommit(
      Function<Coupon, CouponStock> stockOf,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      ClaimLimits limits,
      Executor executor,
      IssuanceObserver observer) {
    this.stockOf = stockOf;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.observer = observer;
    this.lanes = new Lanes<>(Calls::new, limits, executor, observer);
  }

  /**
   * Claims the coupon for the user.
   *
   * @return the outcome, or completed exceptionally with a {@link
   *     io.firstcome.domain.port.StockUnavailableException}. It always completes, as {@link
   *     Lanes#send} says; {@link ClaimOutcome.Busy} if a limit was reached
   */
  public CompletionStage<ClaimOutcome> claim(Coupon coupon, UserId user) {
    return lanes.send(coupon, user);
  }

  /** The number of lanes. */
  int lanes() {
    return lanes.size();
  }

  private final class Calls implements LaneCalls<ClaimOutcome> {

    private final Coupon coupon;
    private final CouponStock stock;

    Calls(Coupon coupon) {
      this.coupon = coupon;
      this.stock = stockOf.apply(coupon);
    }

    @Override
    public int maxInFlight() {
      return stock.maxCallsInFlight();
    }

    @Override
    public int maxPerCall() {
      return stock.maxClaimsPerCall();
    }

    @Override
    public CompletionStage<List<ClaimOutcome>> send(
        List<UserId> users, boolean withPseudonyms, Duration within) {
      var pseudonyms = withPseudonyms ? codeKeys.pseudonyms(coupon.codeKeyVersion()) : null;
      return stock.claim(
          epochs.address(coupon), coupon.campaign(), Claim.of(users, pseudonyms), within);
    }

    @Override
    public ClaimOutcome busy() {
      return new ClaimOutcome.Busy();
    }

    @Override
    public ClaimOutcome repeat() {
      return new ClaimOutcome.Repeat();
    }

    @Override
    public void ended(List<UserId> users, List<ClaimOutcome> outcomes, Duration took) {
      observer.observe(
          new ClaimObservation.CallEnded(coupon.id(), users, outcomes, took, !outcomes.isEmpty()));
    }
  }
}
