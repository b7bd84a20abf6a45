package io.firstcome.bootstrap.metric;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.ClaimObservation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and log lines of claims before they are recorded. */
final class MeteredClaims {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  /** Versions that were logged. There are never more than a few code keys. */
  private final Set<Integer> missingCodeKeys = ConcurrentHashMap.newKeySet();

  private final DistributionSummary batchSize;
  private final Timer callTime;
  private final Counter failedCalls;
  private final DistributionSummary joinBatchSize;
  private final Timer joinCallTime;
  private final Counter failedJoinCalls;
  private final Counter codeKeysMissing;

  MeteredClaims(MeterRegistry registry) {
    batchSize = Metric.CLAIM_BATCH_SIZE.summary(registry);
    callTime = Metric.CLAIM_CALL.timer(registry);
    failedCalls = Metric.CLAIM_CALLS_FAILED.counter(registry);
    joinBatchSize = Metric.ROOM_JOIN_BATCH_SIZE.summary(registry);
    joinCallTime = Metric.ROOM_JOIN_CALL.timer(registry);
    failedJoinCalls = Metric.ROOM_JOIN_CALLS_FAILED.counter(registry);
    codeKeysMissing = Metric.CODE_KEYS_MISSING.counter(registry);
  }

  void observe(ClaimObservation observation) {
    switch (observation) {
      case ClaimObservation.CallEnded(_, var users, _, var took, boolean answered) -> {
        batchSize.record(users.size());
        callTime.record(took);
        if (!answered) {
          failedCalls.increment();
        }
      }
      case ClaimObservation.JoinCallEnded(_, int users, var took, boolean answered) -> {
        joinBatchSize.record(users);
        joinCallTime.record(took);
        if (!answered) {
          failedJoinCalls.increment();
        }
      }
      case ClaimObservation.CodeKeyMissing(CouponId couponId, int version) ->
          codeKeyMissing(couponId, version);
    }
  }

  private void codeKeyMissing(CouponId couponId, int version) {
    codeKeysMissing.increment();
    if (missingCodeKeys.add(version)) {
      LOG.warn(
          "the code key of version {}, which {} was defined with, is not installed on this"
              + " instance: claims of such coupons are answered 503 here and recorded by other"
              + " instances",
          version,
          couponId);
    }
  }
}
