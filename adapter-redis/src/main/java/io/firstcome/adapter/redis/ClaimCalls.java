package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls the script that decides claims. */
final class ClaimCalls {

  private final RedisConnection connection;
  private final ReplicaAcks copies;
  private final ClaimArguments arguments;

  /**
   * @param connection carries only these calls, so that no slow call delays them
   */
  ClaimCalls(
      RedisConnection connection, ReplicaAcks copies, ServerClock clock, RedisLimits limits) {
    this.connection = connection;
    this.copies = copies;
    this.arguments = new ClaimArguments(clock, limits);
  }

  /**
   * Decides the claims, in their order. A call is not retried here, because a later one may already
   * be in flight. An outcome that depends on writes is returned when every replica that could be
   * promoted has these writes.
   */
  CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon,
      @Nullable Campaign campaign,
      List<Claim> claimsInOrder,
      Duration within) {
    try {
      return sendClaim(coupon, campaign, claimsInOrder, within)
          .handle((reply, failure) -> {
            if (failure != null) {
              throw RedisErrors.isUnknownScript(failure)
                  ? new StockFencedException("Redis did not know the claim script")
                  : RedisErrors.translate(failure);
            }
            return outcomes(reply, claimsInOrder.size());
          })
          .thenCompose(outcomes -> whenReplicated(coupon, outcomes));
    } catch (StockUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<List<Object>> sendClaim(
      StockAddress coupon,
      @Nullable Campaign campaign,
      List<Claim> claimsInOrder,
      Duration within) {
    return connection.send(
        LuaScript.CLAIM,
        ClaimArguments.keys(coupon, campaign),
        arguments.of(coupon, campaign, claimsInOrder, within));
  }

  private CompletionStage<List<ClaimOutcome>> whenReplicated(
      StockAddress coupon, List<ClaimOutcome> outcomes) {
    return outcomes.stream().anyMatch(ClaimCalls::dependsOnWrites)
        ? copies.made(coupon).thenApply(made -> outcomes)
        : CompletableFuture.completedStage(outcomes);
  }

  /** Whether a server that lost its last writes would return another outcome. */
  private static boolean dependsOnWrites(ClaimOutcome outcome) {
    return switch (outcome) {
      case ClaimOutcome.Accepted _,
          ClaimOutcome.AlreadyIssued _,
          ClaimOutcome.Returned _,
          ClaimOutcome.Rejected _,
          ClaimOutcome.SoldOut _,
          ClaimOutcome.CampaignLimit _,
          ClaimOutcome.Withheld _ ->
          true;
      case ClaimOutcome.NotOpen _,
          ClaimOutcome.Closed _,
          ClaimOutcome.Paused _,
          ClaimOutcome.Busy _,
          ClaimOutcome.Repeat _ ->
          false;
      case ClaimOutcome.Issued _ ->
          throw new IllegalStateException("Redis cannot reply Issued: " + outcome);
    };
  }

  private static List<ClaimOutcome> outcomes(List<Object> reply, int claims) {
    RedisConnection.checked(reply);
    if ("PSEUDONYMS".equals(reply.getFirst())) {
      return Collections.nCopies(claims, new ClaimOutcome.Repeat());
    }
    if ("LATE".equals(reply.getFirst())) {
      throw RedisErrors.late();
    }
    long opensAtMillis = (Long) reply.get(1);
    var outcomes = new ArrayList<ClaimOutcome>(reply.size() - 2);
    for (var answer : reply.subList(2, reply.size())) {
      outcomes.add(outcome((Long) answer, opensAtMillis));
    }
    return outcomes;
  }

  private static ClaimOutcome outcome(long answer, long opensAtMillis) {
    return switch (ScriptReplies.code(answer)) {
      case 0 -> new ClaimOutcome.Accepted(ScriptReplies.slot(answer));
      case 1 -> new ClaimOutcome.AlreadyIssued(ScriptReplies.slot(answer));
      case 2 -> new ClaimOutcome.Returned();
      case 3 -> new ClaimOutcome.Rejected();
      case 4 -> new ClaimOutcome.SoldOut();
      case 5 -> new ClaimOutcome.NotOpen(Instant.ofEpochMilli(opensAtMillis));
      case 6 -> new ClaimOutcome.Closed();
      case 7 -> new ClaimOutcome.Paused();
      case 8 -> new ClaimOutcome.Busy();
      case 9 -> new ClaimOutcome.Withheld();
      case 10 -> new ClaimOutcome.CampaignLimit();
      default -> throw new IllegalStateException("unknown reply of claim.lua: " + answer);
    };
  }
}
