package io.firstcome.bootstrap.operation;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.Weakness;
import io.firstcome.domain.reconciliation.Discrepancy;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Publishes observations as metrics and log lines. No log line contains a user or a code. */
@Component
class MeteredIssuance implements IssuanceObserver {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  /** The shortest time between two log lines on one subject, however many rounds fail. */
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(10);

  /** Some contain a coupon or a message. Beyond so many, lines are repeated sooner. */
  private static final int SUBJECTS_MAX = 10_000;

  /** Smaller coupons are rebuilt quickly, and there may be thousands of them. */
  private static final long ROWS_WORTH_A_LINE = 10_000;

  private final ConcurrentHashMap<String, Long> lastLoggedNanos = new ConcurrentHashMap<>();

  /** Versions that were logged. There are never more than a few code keys. */
  private final Set<Integer> missingCodeKeys = ConcurrentHashMap.newKeySet();

  private final MeterRegistry registry;
  private final DistributionSummary batchSize;
  private final Timer callTime;
  private final Counter recorded;
  private final AtomicInteger weaknesses = new AtomicInteger();

  MeteredIssuance(MeterRegistry registry) {
    this.registry = registry;
    batchSize = DistributionSummary.builder("firstcome.claim.batch.size").register(registry);
    Gauge.builder("firstcome.server.weaknesses", weaknesses, AtomicInteger::get).register(registry);
    callTime = Timer.builder("firstcome.claim.call").register(registry);
    recorded = registry.counter("firstcome.recorded");
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
  public void eventsPublished(int events) {
    counter("firstcome.events.published").increment(events);
  }

  @Override
  public void roundFailed(String round, Throwable cause) {
    registry.counter("firstcome.rounds.failed", "round", round).increment();
    if (cause instanceof Error) {
      if (isNews(round + " error")) {
        LOG.error("{} failed and is retried", round, cause);
      }
    } else if (isNews(round)) {
      LOG.warn("{} failed and is retried: {}", round, message(cause));
      LOG.debug("{} failed", round, cause);
    }
  }

  @Override
  public void recorded(CouponId couponId, RecordOutcome outcome) {
    switch (outcome) {
      case RecordOutcome.Recorded _ -> recorded.increment();
      case RecordOutcome.AlreadyRecorded _ -> conflict("already-recorded").increment();
      case RecordOutcome.UserHasOtherSlot _ -> conflict("user-has-other-slot").increment();
      case RecordOutcome.Late _ -> conflict("late").increment();
      case RecordOutcome.UnknownCoupon _ -> conflict("unknown-coupon").increment();
      case RecordOutcome.SlotOutOfRange _ -> conflict("slot-out-of-range").increment();
      case RecordOutcome.SlotTaken _ -> {
        conflict("slot-taken").increment();
        LOG.error("a slot of {} was allocated twice; its partition is being recovered", couponId);
      }
    }
  }

  @Override
  public void acceptedAtImplausibleTime(CouponId couponId, Duration ahead) {
    counter("firstcome.accepted.at.implausible.time").increment();
    if (isNews("accepted at")) {
      LOG.warn(
          "a claim of {} was accepted at an implausible time by Redis' clock, off by {} s; its row"
              + " has the nearest plausible time",
          couponId,
          ahead.toSeconds());
    }
  }

  @Override
  public void clockDiffers(String clock, Duration ahead) {
    LOG.warn(
        "the clock of {} is {} s {} that of PostgreSQL",
        clock,
        ahead.abs().toSeconds(),
        ahead.isNegative() ? "behind" : "ahead of");
  }

  @Override
  public void clockAgrees(String clock) {
    LOG.info("the clock of {} agrees with that of PostgreSQL again", clock);
  }

  @Override
  public void setAside(CouponId couponId, String reason) {
    counter("firstcome.set.aside").increment();
    LOG.error("a claim of {} became a dead letter: {}", couponId, reason);
  }

  @Override
  public void messageSetAside(String reason) {
    counter("firstcome.messages.set.aside").increment();
    if (isNews("set aside " + reason)) {
      LOG.error("a claim message became a dead letter: {}", reason);
    }
  }

  @Override
  public void deadLetterReplayed(DeadLetterId id, boolean recorded) {
    registry
        .counter("firstcome.dead.letters.replayed", "recorded", Boolean.toString(recorded))
        .increment();
    LOG.info("dead letter {} was retried and {}", id, recorded ? "is recorded" : "is kept");
  }

  @Override
  public void entryUnreadable(Partition partition, String entryId, String reason) {
    counter("firstcome.handoff.unreadable").increment();
    if (isNews("unreadable in " + partition)) {
      LOG.error(
          "log entry {} of partition {} is unreadable and is kept: {}", entryId, partition, reason);
    }
  }

  @Override
  public void codeKeyMissing(CouponId couponId, int version) {
    counter("firstcome.code.keys.missing").increment();
    if (missingCodeKeys.add(version)) {
      LOG.warn(
          "the code key of version {}, which {} was defined with, is not installed on this"
              + " instance: claims of such coupons are answered 503 here and recorded by other"
              + " instances",
          version,
          couponId);
    }
  }

  @Override
  public void couponLocked(CouponId couponId) {
    counter("firstcome.coupons.locked").increment();
    if (isNews("lock of " + couponId)) {
      LOG.warn(
          "rows of {} are locked in the database: its claims are kept, and recorded after the lock"
              + " is released",
          couponId);
    }
  }

  @Override
  public void couponUnreadable(String couponId, RuntimeException cause) {
    counter("firstcome.coupons.unreadable").increment();
    if (isNews("row of " + couponId)) {
      LOG.error(
          "the row of coupon {} cannot be read; its claims are refused: {}",
          couponId,
          cause.getMessage());
    }
  }

  @Override
  public void recordingPaused(Exception cause) {
    if (isNews("recording")) {
      LOG.warn("recording is paused: {}", message(cause));
    }
  }

  /** Expected once after a start of Redis; if repeated, something removes the scripts. */
  @Override
  public void scriptsLoaded() {
    counter("firstcome.scripts.loaded").increment();
    if (isNews("scripts")) {
      LOG.info("the scripts of this release were missing in Redis and are loaded now");
    }
  }

  @Override
  public void lateClaimsSettled(CouponId couponId, int adopted, int rejected, int done) {
    registry.counter("firstcome.late.claims", "end", "adopted").increment(adopted);
    registry.counter("firstcome.late.claims", "end", "rejected").increment(rejected);
    registry.counter("firstcome.late.claims", "end", "done").increment(done);
    LOG.info(
        "late claims of {}: {} adopted, {} rejected, {} already recorded",
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
  public void couponCompared(CouponId couponId, Duration took) {
    registry.timer("firstcome.comparison").record(took);
  }

  /** Logs only kinds and counts, as a discrepancy names users. The proof has the details. */
  @Override
  public void discrepanciesFound(
      CouponId couponId, List<Discrepancy> discrepancies, boolean healing) {
    Map<String, Long> kinds =
        discrepancies.stream()
            .collect(
                Collectors.groupingBy(
                    discrepancy -> discrepancy.getClass().getSimpleName(), Collectors.counting()));
    kinds.forEach((kind, count) ->
        registry.counter("firstcome.discrepancies", "kind", kind).increment(count));
    if (healing || isNews("discrepancies of " + couponId)) {
      LOG.error(
          "stock, log and database of {} disagree: {}; {}",
          couponId,
          kinds,
          healing
              ? "the repair is started"
              : "no repair is started: an earlier one did not help, or none can help");
    }
  }

  @Override
  public void revisionRaised(CouponId couponId, int inStock, int raisedTo) {
    counter("firstcome.revisions.raised").increment();
    LOG.error(
        "the database has lost changes of {}: its stock had revision {}, which the database does"
            + " not have; the terms in the database now have revision {} and replace the stock's",
        couponId,
        inStock,
        raisedTo);
  }

  @Override
  public void rebuilding(CouponId couponId, long rows) {
    LOG.info("rebuilding {}: {} rows so far", couponId, rows);
  }

  @Override
  public void couponRebuilt(CouponId couponId, long rows, long unrecorded, Duration took) {
    registry.timer("firstcome.recovery.coupon").record(took);
    registry.counter("firstcome.recovery.rows").increment((double) rows);
    registry.counter("firstcome.recovery.unrecorded").increment((double) unrecorded);
    if (rows >= ROWS_WORTH_A_LINE) {
      LOG.info(
          "rebuilt {}: {} rows and {} claims without a row in {} ms, {} ms per 100,000 rows",
          couponId,
          rows,
          unrecorded,
          took.toMillis(),
          took.toMillis() * 100_000 / rows);
    }
  }

  @Override
  public void couponNotRebuilt(CouponId couponId, RuntimeException failure) {
    counter("firstcome.recovery.coupons.failed").increment();
    LOG.error("the stock of coupon {} cannot be rebuilt and refuses all calls", couponId, failure);
  }

  @Override
  public void recoveryStopped(Partition partition, String reason) {
    counter("firstcome.recovery.stopped").increment();
    if (isNews("stopped " + partition)) {
      LOG.error("partition {} is not recovered: {}", partition, reason);
    }
  }

  @Override
  public void weaknessFound(Weakness weakness) {
    weaknesses.incrementAndGet();
    LOG.warn("{}", weakness.sentence());
  }

  @Override
  public void weaknessGone(Weakness weakness) {
    weaknesses.decrementAndGet();
    LOG.info("{}: {} is no longer {}", weakness.server(), weakness.setting(), weakness.found());
  }

  private Counter counter(String name) {
    return registry.counter(name);
  }

  private Counter conflict(String kind) {
    return registry.counter("firstcome.record.conflicts", "kind", kind);
  }

  private boolean isNews(String subject) {
    if (lastLoggedNanos.size() >= SUBJECTS_MAX) {
      lastLoggedNanos.clear();
    }
    long now = System.nanoTime();
    var last =
        lastLoggedNanos.compute(
            subject,
            (key, before) ->
                before == null || now - before > REPEAT_AFTER.toNanos()
                    ? Long.valueOf(now)
                    : before);
    return last == now;
  }

  /** The message and that of its cause, which contains the server's own error. */
  private static String message(Throwable failure) {
    var cause = failure.getCause();
    return cause == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + " (" + cause.getMessage() + ")";
  }
}
