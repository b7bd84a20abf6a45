package io.firstcome.application;

import java.time.Duration;

/**
 * The bounds of everything in this module that waits, repeats or collects.
 *
 * @param waitingPerCoupon claims of one coupon that may wait for their call; more are answered
 *     busy. At 100,000 claims/s ten thousand wait a tenth of a second
 * @param waitingTime how long a claim may wait for its call to be sent before it is answered busy
 * @param callTime within which a claim call must take effect at the stock backend, or never
 * @param answerTime how much longer than {@code callTime} an answer is waited for
 * @param claimsWorthACall how many claims must wait before a further call is sent while one is in
 *     flight; fewer go with the next call, which costs them less than they would cost the backend
 * @param relayBatch log entries of one partition that go to the broker together
 * @param relayWait how long a relay waits at an empty log before it looks at the world again
 * @param staleAfter how long an entry may stay in the log after it was published before it is
 *     published again; doubled with each time
 * @param lateClaimBatch late claims that are adopted together
 * @param expiryBatch user coupons whose end is recorded together; each stays locked until all are
 * @param eventBatch events that are published together; a database transaction waits for their
 *     confirmation
 * @param parallelRecoveries partitions that one instance rebuilds at a time; each holds two
 *     database connections
 * @param drainTime how long recovery lets recorders empty the queue first
 * @param retryPause between tries while a server is away
 * @param pageSize rows or marks read at a time
 * @param rebuildPage rows or marks read at a time while a stock is rebuilt and claims wait for it:
 *     a round trip each, of some milliseconds. A Redis script takes twice as many values at the
 *     most
 * @param stuckAfter how long a claim may wait in the log before it is told as stuck
 * @param discrepanciesTold how many discrepancies of a coupon one comparison names; it counts all
 * @param awaitedRows callers that may wait for a row at a time
 * @param replayAfter how long after it failed a dead letter is tried again by itself; doubled with
 *     each attempt
 * @param replayAttempts attempts at a dead letter, the first one included, after which only an
 *     operator tries it again: with ten seconds at first the last one comes after six hours
 * @param wrongCodes coupon codes that one caller may get wrong within {@code wrongCodesWindow}
 *     before it is locked out: more than a busy till mistypes, and far too few to guess one
 * @param wrongCodesWindow how long wrong codes are counted together, from the first one; a lock-out
 *     ends with it
 * @param forgetBatch counts of wrong codes that are deleted together when their time is over
 * @param lanes of coupons, some hundred bytes each, from which on those that are idle are closed
 * @param comparisonPage rows or users that a comparison asks a server for at a time: fewer round
 *     trips than with {@code pageSize}, and each holds the stock up for about a millisecond
 * @param proofsAtATime proofs that operators may have under way in one instance; each needs about
 *     150 bytes of memory for a claim that is not recorded yet
 * @param proofKept how long a finished proof is kept for a caller that was answered with its
 *     progress
 */
public record ApplicationLimits(
    int waitingPerCoupon,
    Duration waitingTime,
    Duration callTime,
    Duration answerTime,
    int claimsWorthACall,
    int relayBatch,
    Duration relayWait,
    Duration staleAfter,
    int lateClaimBatch,
    int expiryBatch,
    int eventBatch,
    int parallelRecoveries,
    Duration drainTime,
    Duration retryPause,
    int pageSize,
    int rebuildPage,
    Duration stuckAfter,
    int discrepanciesTold,
    int awaitedRows,
    Duration replayAfter,
    int replayAttempts,
    int wrongCodes,
    Duration wrongCodesWindow,
    int forgetBatch,
    int lanes,
    int comparisonPage,
    int proofsAtATime,
    Duration proofKept) {

  /** The values for production. */
  public static ApplicationLimits defaults() {
    return new ApplicationLimits(
        10_000,
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofMillis(250),
        32,
        64,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        500,
        500,
        500,
        2,
        Duration.ofSeconds(2),
        Duration.ofMillis(500),
        1_000,
        3_000,
        Duration.ofMinutes(5),
        100,
        10_000,
        Duration.ofSeconds(10),
        12,
        20,
        Duration.ofMinutes(1),
        1_000,
        1_000,
        2_000,
        2,
        Duration.ofSeconds(5));
  }
}
