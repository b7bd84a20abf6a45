package io.firstcome.bootstrap.metric;

import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.Weakness;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and log lines of background work and of the servers. */
final class MeteredOperation {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  private final MeterRegistry registry;
  private final LogLimit limit;
  private final AtomicInteger weaknesses = new AtomicInteger();

  MeteredOperation(MeterRegistry registry, LogLimit limit) {
    this.registry = registry;
    this.limit = limit;
    Metric.SERVER_WEAKNESSES.gauge(registry, weaknesses, AtomicInteger::get);
  }

  void observe(OperationObservation observation) {
    switch (observation) {
      case OperationObservation.RoundFailed(String round, Throwable cause) ->
          roundFailed(round, cause);
      case OperationObservation.RowsRemoved(int rows) ->
          Metric.RETENTION_REMOVED.counter(registry).increment(rows);
      case OperationObservation.ScriptsLoaded() -> scriptsLoaded();
      case OperationObservation.ClockDiffers(String clock, Duration ahead) ->
          LOG.warn(
              "the clock of {} is {} s {} that of PostgreSQL",
              clock,
              ahead.abs().toSeconds(),
              ahead.isNegative() ? "behind" : "ahead of");
      case OperationObservation.ClockAgrees(String clock) ->
          LOG.info("the clock of {} agrees with that of PostgreSQL again", clock);
      case OperationObservation.WeaknessFound(Weakness weakness) -> {
        weaknesses.incrementAndGet();
        LOG.warn("{}", weakness.sentence());
      }
      case OperationObservation.WeaknessGone(Weakness weakness) -> {
        weaknesses.decrementAndGet();
        LOG.info("{}: {} is no longer {}", weakness.server(), weakness.setting(), weakness.found());
      }
    }
  }

  private void roundFailed(String round, Throwable cause) {
    Metric.ROUNDS_FAILED.counter(registry, round).increment();
    if (cause instanceof Error) {
      if (limit.isDue(round + " error")) {
        LOG.error("{} failed and is retried", round, cause);
      }
    } else if (limit.isDue(round)) {
      LOG.warn("{} failed and is retried: {}", round, LogLimit.message(cause));
      LOG.debug("{} failed", round, cause);
    }
  }

  /** Expected once after a start of Redis; if repeated, something removes the scripts. */
  private void scriptsLoaded() {
    Metric.SCRIPTS_LOADED.counter(registry).increment();
    if (limit.isDue("scripts")) {
      LOG.info("the scripts of this release were missing in Redis and are loaded now");
    }
  }
}
