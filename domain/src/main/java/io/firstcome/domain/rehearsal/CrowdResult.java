package io.firstcome.domain.rehearsal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the crowd of a rehearsal was answered, and what that has cost.
 *
 * @param accepted claims that have a slot
 * @param soldOut claims that were refused because no slot was left
 * @param refused claims that were refused for another reason, such as too many requests
 * @param failed claims without an answer, or with a failure of the service
 * @param median latency from sending a claim to its answer, of half of the claims; likewise p95,
 *     p99 and the slowest one
 * @param soldOutAfter from the first claim to the last one that was accepted; null if slots are
 *     left
 * @param answeredAfter from the first claim to the last answer
 * @param mostAnswers in one second
 * @param processors of the machine
 * @param untilSoldOut the part up to the last accepted claim
 * @param afterSoldOut the rest
 */
public record CrowdResult(
    int accepted,
    int soldOut,
    int refused,
    int failed,
    Duration median,
    Duration p95,
    Duration p99,
    Duration slowest,
    @Nullable Duration soldOutAfter,
    Duration answeredAfter,
    int mostAnswers,
    int processors,
    CrowdPhase untilSoldOut,
    CrowdPhase afterSoldOut) {

  public int answers() {
    return accepted + soldOut + refused;
  }

  int sent() {
    return answers() + failed;
  }
}
