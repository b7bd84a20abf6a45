package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** The metric {@code firstcome.claims}: the number of claims by outcome. */
@Component
class CountedClaims {

  private final MeterRegistry registry;
  private final ConcurrentHashMap<String, Counter> counters = new ConcurrentHashMap<>();

  CountedClaims(MeterRegistry registry) {
    this.registry = registry;
  }

  void count(ClaimAnswer answer) {
    counters.computeIfAbsent(outcome(answer), this::counter).increment();
  }

  private Counter counter(String outcome) {
    return registry.counter("firstcome.claims", "outcome", outcome);
  }

  /** The tag. That of a refusal is the name of its problem. */
  private static String outcome(ClaimAnswer answer) {
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
