package io.firstcome.bootstrap.metric;

import io.firstcome.domain.observation.ConsistencyObservation;
import io.firstcome.domain.reconciliation.Discrepancy;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and log lines of whether stock, log and database agree. */
final class MeteredConsistency {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  private final MeterRegistry registry;
  private final LogLimit limit;

  MeteredConsistency(MeterRegistry registry, LogLimit limit) {
    this.registry = registry;
    this.limit = limit;
    for (var kind : Discrepancy.Kind.values()) {
      Metric.DISCREPANCIES.counter(registry, kind.name());
    }
  }

  void observe(ConsistencyObservation observation) {
    switch (observation) {
      case ConsistencyObservation.CouponCompared(_, var took) ->
          Metric.COMPARISON.timer(registry).record(took);
      case ConsistencyObservation.DiscrepanciesFound found -> discrepanciesFound(found);
      case ConsistencyObservation.RevisionRaised(var couponId, int inStock, int raisedTo) -> {
        Metric.REVISIONS_RAISED.counter(registry).increment();
        LOG.error(
            "the database has lost changes of {}: its stock had revision {}, which the database"
                + " does not have; the terms in the database now have revision {} and replace the"
                + " stock's",
            couponId,
            inStock,
            raisedTo);
      }
      case ConsistencyObservation.CouponUnreadable(String couponId, RuntimeException cause) -> {
        Metric.COUPONS_UNREADABLE.counter(registry).increment();
        if (limit.isDue("row of " + couponId)) {
          LOG.error(
              "the row of coupon {} cannot be read; instances that have not loaded it refuse its claims: {}",
              couponId,
              cause.getMessage());
        }
      }
    }
  }

  /** Logs only kinds and counts, as a discrepancy names users. The proof has the details. */
  private void discrepanciesFound(ConsistencyObservation.DiscrepanciesFound found) {
    Map<Discrepancy.Kind, Long> kinds =
        found.discrepancies().stream()
            .collect(Collectors.groupingBy(Discrepancy::kind, Collectors.counting()));
    kinds.forEach(
        (kind, count) -> Metric.DISCREPANCIES.counter(registry, kind.name()).increment(count));
    if (found.healing() || limit.isDue("discrepancies of " + found.couponId())) {
      LOG.error(
          "stock, log and database of {} disagree: {}; {}",
          found.couponId(),
          kinds,
          found.healing()
              ? "the repair is started"
              : "no repair is started: an earlier one did not help, or none can help");
    }
  }
}
