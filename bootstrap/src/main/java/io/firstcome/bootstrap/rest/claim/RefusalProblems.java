package io.firstcome.bootstrap.rest.claim;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.domain.issuance.ClaimOutcome;
import java.time.Duration;
import java.time.Instant;

/** The problems of claims that are refused. */
public final class RefusalProblems {

  private RefusalProblems() {}

  /**
   * The problem of a claim that is refused, or of a user who cannot join a waiting room for the
   * same reason.
   */
  public static Problem of(ClaimOutcome.Refusal refusal, Instant now) {
    return switch (refusal) {
      case ClaimOutcome.SoldOut() -> Problem.of(ProblemType.SOLD_OUT, "All slots are allocated.");
      case ClaimOutcome.CampaignLimit() ->
          Problem.of(
              ProblemType.CAMPAIGN_LIMIT,
              "You have as many coupons of this campaign as it allows.");
      case ClaimOutcome.NotOpen(Instant opensAt) ->
          Problem.of(ProblemType.NOT_OPEN, "The coupon can be claimed later.")
              .with("opensAt", opensAt.toString())
              .retryAfter(Duration.between(now, opensAt));
      case ClaimOutcome.Closed() ->
          Problem.of(ProblemType.CLOSED, "The coupon can no longer be claimed.");
      case ClaimOutcome.Paused() ->
          Problem.of(ProblemType.PAUSED, "The coupon cannot be claimed at the moment.");
      case ClaimOutcome.Returned() ->
          Problem.of(ProblemType.RETURNED, "You had this coupon; it cannot be claimed again.");
      case ClaimOutcome.Rejected() ->
          Problem.of(
              ProblemType.REJECTED,
              "Your claim was accepted, but a failure lost its slot and no other slot was left.");
    };
  }
}
