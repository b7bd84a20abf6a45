package io.firstcome.bootstrap.metric;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.observation.RecoveryObservation;
import io.firstcome.domain.observation.RecoveryObservation.Step;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and log lines of the recovery of partitions and of their coupons' stock. */
final class MeteredRecovery {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  /** Smaller coupons are rebuilt quickly, and there may be thousands of them. */
  private static final long ROWS_WORTH_A_LINE = 10_000;

  private final MeterRegistry registry;
  private final LogLimit limit;

  MeteredRecovery(MeterRegistry registry, LogLimit limit) {
    this.registry = registry;
    this.limit = limit;
  }

  void observe(RecoveryObservation observation) {
    switch (observation) {
      case RecoveryObservation.StepDone(var partition, var epoch, Step step) -> {
        var name = name(step);
        Metric.RECOVERY_STEPS.counter(registry, name).increment();
        LOG.info("partition {}, epoch {}: {}", partition, epoch, name);
      }
      case RecoveryObservation.Stopped(var partition, String reason) -> {
        Metric.RECOVERY_STOPPED.counter(registry).increment();
        if (limit.isDue("stopped " + partition)) {
          LOG.error("partition {} is not recovered: {}", partition, reason);
        }
      }
      case RecoveryObservation.PartitionProgress _ -> {}
      case RecoveryObservation.CouponProgress(CouponId couponId, _, var rows) ->
          LOG.info(
              "rebuilding {}: {} of at most {} rows so far", couponId, rows.done(), rows.all());
      case RecoveryObservation.CouponRebuilt rebuilt -> couponRebuilt(rebuilt);
      case RecoveryObservation.CouponNotRebuilt(
              CouponId couponId,
              _,
              _,
              RuntimeException failure) -> {
        Metric.RECOVERY_COUPONS_FAILED.counter(registry).increment();
        LOG.error(
            "the stock of coupon {} cannot be rebuilt and refuses all calls", couponId, failure);
      }
    }
  }

  private static String name(Step step) {
    return switch (step) {
      case EPOCH_RAISED -> "epoch raised";
      case FENCED -> "fenced";
      case LOG_READ -> "log read";
      case OPEN -> "open";
    };
  }

  private void couponRebuilt(RecoveryObservation.CouponRebuilt rebuilt) {
    long rows = rebuilt.rows();
    Metric.RECOVERY_COUPON.timer(registry).record(rebuilt.took());
    Metric.RECOVERY_ROWS.counter(registry).increment((double) rows);
    Metric.RECOVERY_UNRECORDED.counter(registry).increment((double) rebuilt.unrecorded());
    if (rows >= ROWS_WORTH_A_LINE) {
      long millis = rebuilt.took().toMillis();
      LOG.info(
          "rebuilt {}: {} rows and {} claims without a row in {} ms, {} ms per 100,000 rows",
          rebuilt.couponId(),
          rows,
          rebuilt.unrecorded(),
          millis,
          millis * 100_000 / rows);
    }
  }
}
