package io.firstcome.application.recording;

import java.time.Duration;

/**
 * The limits of the way from the hand-off log to the rows.
 *
 * @param relayBatch log entries of one partition that are published together
 * @param relayWait how long a relay waits at an empty log before it reads again
 * @param staleAfter how long an entry may stay in the log after it was published before it is
 *     published again; doubled with each time
 * @param lateClaimBatch late claims that are settled together
 * @param retryPause between retries while a server is not reachable
 * @param awaitedRows callers that may wait for a row at a time
 * @param standstill how long callers may wait while no row arrives at all; longer than {@code
 *     staleAfter}, since the entries that a stopped instance has read are published again then
 * @param rowPage rows that are looked up at a time for waiting callers
 * @param replayAfter how long after its failure a dead letter is retried automatically; doubled
 *     with each attempt
 * @param replayAttempts attempts at a dead letter, the first one included, after which only an
 *     operator retries it: with ten seconds at first the last one comes after six hours
 */
public record RecordingLimits(
    int relayBatch,
    Duration relayWait,
    Duration staleAfter,
    int lateClaimBatch,
    Duration retryPause,
    int awaitedRows,
    Duration standstill,
    int rowPage,
    Duration replayAfter,
    int replayAttempts) {

  /** Copies the limits with another number of waiting callers. */
  public RecordingLimits withAwaitedRows(int callers) {
    return new RecordingLimits(
        relayBatch,
        relayWait,
        staleAfter,
        lateClaimBatch,
        retryPause,
        callers,
        standstill,
        rowPage,
        replayAfter,
        replayAttempts);
  }

  /** The values for production. */
  public static RecordingLimits defaults() {
    return new RecordingLimits(
        64,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        500,
        Duration.ofMillis(500),
        10_000,
        Duration.ofSeconds(15),
        1_000,
        Duration.ofSeconds(10),
        12);
  }
}
