package io.firstcome.bootstrap.operation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Partition;
import io.firstcome.domain.issuance.RecordOutcome;
import io.firstcome.domain.port.IssuanceObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Makes metrics and log lines of what happens inside. Nothing it logs names a user or a code. */
@Component
class MeteredIssuance implements IssuanceObserver {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  /** A server that is away is told of once in so long, however many rounds fail. */
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(10);

  private final ConcurrentHashMap<String, Long> lastToldNanos = new ConcurrentHashMap<>();
  private final MeterRegistry registry;
  private final DistributionSummary batchSize;
  private final Timer callTime;

  MeteredIssuance(MeterRegistry registry) {
    this.registry = registry;
    batchSize = DistributionSummary.builder("firstcome.claim.batch.size").register(registry);
    callTime = Timer.builder("firstcome.claim.call").register(registry);
  }

  @Override
  public void claimCallEnded(CouponId couponId, int claims, Duration took, boolean answered) {
    batchSize.record(claims);
    callTime.record(took);
    if (!answered) {
      counter("firstcome.claim.calls.failed").increment();
    }
  }

  @Override
  public void relayed(int entries, boolean again) {
    registry
        .counter("firstcome.handoff.published", "again", Boolean.toString(again))
        .increment(entries);
  }

  @Override
  public void roundFailed(String round, Exception cause) {
    registry.counter("firstcome.rounds.failed", "round", round).increment();
    if (isNews(round)) {
      LOG.warn("{} failed and is tried again: {}", round, told(cause));
      LOG.debug("{} failed", round, cause);
    }
  }

  @Override
  public void recorded(CouponId couponId, RecordOutcome outcome) {
    switch (outcome) {
      case RecordOutcome.Recorded _ -> counter("firstcome.recorded").increment();
      case RecordOutcome.AlreadyRecorded _ -> conflict("already-recorded").increment();
      case RecordOutcome.UserHasOtherSlot _ -> conflict("user-has-other-slot").increment();
      case RecordOutcome.Late _ -> conflict("late").increment();
      case RecordOutcome.UnknownCoupon _ -> conflict("unknown-coupon").increment();
      case RecordOutcome.SlotOutOfRange _ -> conflict("slot-out-of-range").increment();
      case RecordOutcome.SlotTaken _ -> {
        conflict("slot-taken").increment();
        LOG.error("a slot of {} was given twice; its partition is recovered", couponId);
      }
    }
  }

  @Override
  public void setAside(CouponId couponId, String reason) {
    counter("firstcome.set.aside").increment();
    LOG.error("a claim of {} was set aside: {}", couponId, reason);
  }

  @Override
  public void recordingPaused(Exception cause) {
    if (isNews("recording")) {
      LOG.warn("recording waits: {}", told(cause));
    }
  }

  @Override
  public void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {
    registry.counter("firstcome.late.claims", "end", "adopted").increment(adopted);
    registry.counter("firstcome.late.claims", "end", "rejected").increment(rejected);
    registry.counter("firstcome.late.claims", "end", "done").increment(done);
    LOG.info(
        "late claims of {}: {} adopted, {} rejected, {} recorded before",
        couponId,
        adopted,
        rejected,
        done);
  }

  @Override
  public void recoveryStep(Partition partition, Epoch epoch, String step) {
    registry.counter("firstcome.recovery.steps", "step", step).increment();
    LOG.info("partition {}, epoch {}: {}", partition, epoch, step);
  }

  @Override
  public void recoveryStopped(Partition partition, String reason) {
    counter("firstcome.recovery.stopped").increment();
    if (isNews("stopped " + partition)) {
      LOG.error("partition {} is not recovered: {}", partition, reason);
    }
  }

  private Counter counter(String name) {
    return registry.counter(name);
  }

  private Counter conflict(String kind) {
    return registry.counter("firstcome.record.conflicts", "kind", kind);
  }

  private boolean isNews(String subject) {
    long now = System.nanoTime();
    var last =
        lastToldNanos.compute(
            subject,
            (key, before) ->
                before == null || now - before > REPEAT_AFTER.toNanos()
                    ? Long.valueOf(now)
                    : before);
    return last == now;
  }

  /** The message and that of the first cause, which names the server's own trouble. */
  private static String told(Exception failure) {
    var cause = failure.getCause();
    return cause == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + " (" + cause.getMessage() + ")";
  }
}
