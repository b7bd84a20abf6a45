package io.firstcome.adapter.redis;

import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Calls the script that decides claims. */
final class ClaimCalls {

  private final RedisConnection connection;
  private final ReplicaAcks copies;
  private final ServerClock clock;
  private final RedisLimits limits;

  /**
   * @param connection carries only these calls, so that no slow call delays them
   */
  ClaimCalls(
      RedisConnection connection, ReplicaAcks copies, ServerClock clock, RedisLimits limits) {
    this.connection = connection;
    this.copies = copies;
    this.clock = clock;
    this.limits = limits;
  }

  /**
   * Decides the claims, in their order. A call is not retried here, because a later one may already
   * be in flight. An outcome that depends on writes is returned when every replica that could be
   * promoted has these writes.
   */
  CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, List<Claim> claimsInOrder, Duration within) {
    try {
      return sendClaim(coupon, claimsInOrder, within)
          .handle((reply, failure) -> {
            if (failure != null) {
              throw RedisErrors.isUnknownScript(failure)
                  ? new StockFencedException("Redis did not know the claim script")
                  : RedisErrors.translate(failure);
            }
            return outcomes(reply);
          })
          .thenCompose(outcomes -> whenReplicated(coupon, outcomes));
    } catch (StockUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private CompletionStage<List<Object>> sendClaim(
      StockAddress coupon, List<Claim> claimsInOrder, Duration within) {
    var span = clock.from(within);
    var keys =
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.stock(coupon),
          RedisKeys.ledger(coupon),
          RedisKeys.returned(coupon),
          RedisKeys.handoff(coupon.partition()),
          RedisKeys.unfiltered(coupon)
        };
    var args = new String[5 + claimsInOrder.size()];
    args[0] = coupon.epoch().toString();
    args[1] = Long.toString(span.notBefore());
    args[2] = Long.toString(span.notAfter());
    args[3] = Integer.toString(limits.logCap());
    args[4] = coupon.couponId().value();
    for (int i = 0; i < claimsInOrder.size(); i++) {
      args[5 + i] = claimsInOrder.get(i).userId().value();
    }
    return connection.send(LuaScript.CLAIM, keys, args);
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
          ClaimOutcome.Withheld _ ->
          true;
      case ClaimOutcome.NotOpen _,
          ClaimOutcome.Closed _,
          ClaimOutcome.Paused _,
          ClaimOutcome.Busy _ ->
          false;
      case ClaimOutcome.Issued _ ->
          throw new IllegalStateException("Redis cannot reply Issued: " + outcome);
    };
  }

  private static List<ClaimOutcome> outcomes(List<Object> reply) {
    RedisConnection.checked(reply);
    if ("LATE".equals(reply.getFirst())) {
      throw new StockUnavailableException(
          Effect.NONE, "the call reached Redis after its deadline, or Redis' clock jumped", null);
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
      default -> throw new IllegalStateException("unknown reply of claim.lua: " + answer);
    };
  }
}
