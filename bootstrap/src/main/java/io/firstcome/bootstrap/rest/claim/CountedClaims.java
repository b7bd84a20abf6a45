package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.curve.CountClaims;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Counts claims by outcome and by coupon, and measures how long their answers take. */
@Component
class CountedClaims {

  private final CountClaims countClaims;
  private final MeterRegistry registry;
  private final Timer latency;
  private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

  CountedClaims(CountClaims countClaims, MeterRegistry registry) {
    this.countClaims = countClaims;
    this.registry = registry;
    this.latency = Metric.CLAIM_LATENCY.timer(registry);
  }

  /**
   * @param time until the answer was known
   */
  void count(CouponId couponId, ClaimAnswer answer, Duration time) {
    countClaims.count(couponId, answer, time);
    latency.record(time);
    counters.computeIfAbsent(outcome(answer), this::counter).increment();
  }

  private Counter counter(String outcome) {
    return Metric.CLAIMS.counter(registry, outcome);
  }

  /** The name of an answer. That of a refusal is the name of its problem. */
  static String outcome(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Accepted _ -> "accepted";
      case ClaimAnswer.Issued _ -> "issued";
      case ClaimAnswer.AlreadyClaimed _ -> "already-claimed";
      case ClaimAnswer.Refused(ClaimOutcome.Refusal refusal) -> outcome(refusal);
      case ClaimAnswer.UnknownCoupon _ -> "unknown-coupon";
      case ClaimAnswer.NotAdmitted _ -> "not-admitted";
      case ClaimAnswer.OutcomeUnknown _ -> "outcome-unknown";
      case ClaimAnswer.Overloaded _ -> "overloaded";
      case ClaimAnswer.Recovering _ -> "recovering";
    };
  }

  private static String outcome(ClaimOutcome.Refusal refusal) {
    return switch (refusal) {
      case ClaimOutcome.SoldOut _ -> "sold-out";
      case ClaimOutcome.CampaignLimit _ -> "campaign-limit";
      case ClaimOutcome.NotOpen _ -> "not-open";
      case ClaimOutcome.Closed _ -> "closed";
      case ClaimOutcome.Paused _ -> "paused";
      case ClaimOutcome.Returned _ -> "returned";
      case ClaimOutcome.Rejected _ -> "rejected";
    };
  }
}
