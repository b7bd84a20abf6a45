package io.firstcome.benchmark.rig;

import io.firstcome.application.ApplicationLimits;
import java.time.Duration;

/**
 * The limits of the service with an earlier sweep, for measurements that kill a process and then
 * wait for what it had read from the hand-off log. No claim and no row is faster for it.
 */
public final class SoonSwept {

  private static final Duration STALE_AFTER = Duration.ofSeconds(2);

  private SoonSwept() {}

  /** The service's, but for the age at which an entry is taken over. */
  public static ApplicationLimits limits() {
    var service = ApplicationLimits.defaults();
    return new ApplicationLimits(
        service.waitingPerCoupon(),
        service.waitingTime(),
        service.callTime(),
        service.answerTime(),
        service.claimsWorthACall(),
        service.relayBatch(),
        service.relayWait(),
        STALE_AFTER,
        service.lateClaimBatch(),
        service.expiryBatch(),
        service.eventBatch(),
        service.parallelRecoveries(),
        service.drainTime(),
        service.retryPause(),
        service.pageSize(),
        service.stuckAfter(),
        service.discrepanciesTold(),
        service.awaitedRows(),
        service.replayAfter(),
        service.replayAttempts(),
        service.wrongCodes(),
        service.wrongCodesWindow());
  }
}
